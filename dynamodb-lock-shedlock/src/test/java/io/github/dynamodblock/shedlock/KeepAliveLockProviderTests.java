/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.LockKey;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * ShedLock's provider that extends locks while their tasks run.
 */
class KeepAliveLockProviderTests extends TwoNodes {

	/** The shortest lockAtMostFor that ShedLock allows. */
	private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

	private final FastExecutor executor = new FastExecutor();

	@AfterEach
	void stopExtensions() {
		this.executor.shutdownNow();
	}

	@Test
	void aLockIsExtendedUntilItIsUnlocked() {
		SimpleLock lock = keepAlive(new DynamoDbLockProvider(this.client));
		long granted = fencingToken();
		soon().until(() -> {
			assertThat(this.otherProvider.lock(anHour())).isEmpty();
			return fencingToken() >= granted + 3;
		});
		lock.unlock();
		assertThat(this.executor.getQueue()).isEmpty();
		assertFree();
	}

	@Test
	void aLockThatIsLostIsNoLongerExtended() {
		SimpleLock lock = keepAlive(new DynamoDbLockProvider(this.client));
		this.otherClient.forceRelease(LockKey.of("shedlock:job"), this.client.ownerName());
		SimpleLock later = lockOfTheOtherNode();
		soon().until(() -> this.executor.getQueue().isEmpty());
		// An extension without a result ends the lock, as with ShedLock's other
		// providers.
		assertThatIllegalStateException().isThrownBy(lock::unlock);
		assertLocked();
		later.unlock();
		assertFree();
	}

	@Test
	void anExtensionThatFailsIsTheLastAndTheLockCanBeUnlocked() {
		TestTable.Access access = new TestTable.Access();
		SimpleLock lock = keepAlive(new DynamoDbLockProvider(this.table.newClient(access)));
		access.deny(true);
		soon().until(() -> this.executor.getQueue().isEmpty() && this.executor.getActiveCount() == 0);
		access.deny(false);
		assertLocked();
		lock.unlock();
		assertFree();
	}

	private SimpleLock keepAlive(DynamoDbLockProvider provider) {
		LockProvider keepAlive = new KeepAliveLockProvider(provider, this.executor);
		return keepAlive.lock(limits(HALF_A_MINUTE, Duration.ZERO)).orElseThrow();
	}

	private long fencingToken() {
		return this.client.find("shedlock:job").orElseThrow().fencingToken().orElseThrow();
	}

	/** Extends every 0.5 s instead of every 15 s, which is half of lockAtMostFor. */
	private static final class FastExecutor extends ScheduledThreadPoolExecutor {

		private static final int FASTER = 30;

		FastExecutor() {
			super(1);
			setRemoveOnCancelPolicy(true);
		}

		@Override
		public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
			return super.scheduleAtFixedRate(command, initialDelay / FASTER, period / FASTER, unit);
		}

	}

}

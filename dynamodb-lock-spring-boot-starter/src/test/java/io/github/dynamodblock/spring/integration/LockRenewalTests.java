/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.integration.support.locks.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * How long a lock is kept, by itself and by hand.
 */
@Order(1)
@ExtendWith(DynamoDbExtension.class)
@SuppressWarnings("LockNotBeforeTry") // to lock and to unlock are what is tested
class LockRenewalTests {

	private static final Duration LEASE = RegistryNode.SHORT_LEASE;

	/** Of locks that renew themselves: it outlasts a machine that stalls for seconds. */
	private static final Duration STURDY_LEASE = LEASE.multipliedBy(2);

	private static final Duration LONGER_THAN_LEASE = STURDY_LEASE.plusMillis(500);

	private RegistryNode node;

	private RegistryNode other;

	private DistributedLock lock;

	@BeforeEach
	void start(EmbeddedDynamoDb dynamoDb) {
		this.node = RegistryNode.of(dynamoDb, STURDY_LEASE);
		this.other = this.node.other(RegistryNode.LONG_LEASE);
		this.lock = this.node.lock("k");
	}

	@AfterEach
	void stop() {
		this.other.close();
		this.node.close();
	}

	@Test
	void aLockIsRenewedByItself() throws Exception {
		this.lock.lock();
		assertThat(this.node.held("k").isAutomaticallyRenewed()).isTrue();
		assertThat(this.other.lock("k").tryLock(LONGER_THAN_LEASE.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
		this.lock.unlock();
		assertThat(this.node.hasRow("k")).isFalse();
	}

	@Test
	void aLockWithATimeToLiveIsKeptForThatTimeAndNotRenewed() throws Exception {
		this.lock.lock(LEASE);
		assertThat(this.node.held("k").isAutomaticallyRenewed()).isFalse();
		this.node.calls().clear();
		assertThat(this.other.lock("k").tryLock(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.node.calls().all()).isEmpty();
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(this.lock::unlock)
			.withMessageContaining("EXPIRED");
		// Neither the unlock nor another attempt harms the successor.
		assertThat(this.lock.tryLock()).isFalse();
		this.other.registry().renewLock("k");
		this.other.lock("k").unlock();
		assertThat(this.lock.tryLock(30, TimeUnit.SECONDS)).isTrue();
		this.lock.unlock();
	}

	@Test
	void aTimeToLiveMayBeLongerThanTheLease() throws Exception {
		assertThat(this.lock.tryLock(Duration.ZERO, RegistryNode.LONG_LEASE)).isTrue();
		assertThat(this.node.held("k").remaining()).isGreaterThan(LEASE);
		assertThat(this.node.row("k").leaseDuration()).isEqualTo(RegistryNode.LONG_LEASE);
		this.lock.unlock();
		assertThat(this.node.hasRow("k")).isFalse();
	}

	@Test
	void aNestedAcquireLeavesTheTimeToLiveAsItIs() {
		this.lock.lock(RegistryNode.LONG_LEASE);
		this.lock.lock(LEASE);
		this.lock.lock();
		assertThat(this.node.held("k").isAutomaticallyRenewed()).isFalse();
		assertThat(this.node.row("k").leaseDuration()).isEqualTo(RegistryNode.LONG_LEASE);
		this.lock.unlock();
		this.lock.unlock();
		this.lock.unlock();
	}

	@Test
	void aTimeToLiveIsKeptOnceMoreByEachRenewal() throws Exception {
		// Far longer than between two renewals, on any machine.
		Duration timeToLive = LEASE.multipliedBy(3);
		this.lock.lock(timeToLive);
		try (Worker worker = new Worker()) {
			CompletableFuture<Boolean> gotIt = worker
				.begin(() -> this.other.lock("k").tryLock(timeToLive.toMillis() + 500, TimeUnit.MILLISECONDS));
			await().pollInSameThread().until(() -> {
				this.node.registry().renewLock("k");
				return gotIt.isDone();
			});
			assertThat(gotIt).isCompletedWithValue(false);
		}
		this.lock.unlock();
		assertThat(this.node.hasRow("k")).isFalse();
	}

	@Test
	void aRenewalChangesTheTimeToLive() {
		Duration timeToLive = RegistryNode.LONG_LEASE.dividedBy(3);
		this.lock.lock(timeToLive);
		this.node.registry().renewLock("k", RegistryNode.LONG_LEASE);
		assertThat(this.node.held("k").remaining()).isGreaterThan(timeToLive);
		assertThat(this.node.held("k").isAutomaticallyRenewed()).isFalse();
		assertThat(this.node.row("k").leaseDuration()).isEqualTo(RegistryNode.LONG_LEASE);
		this.lock.unlock();
		assertThat(this.node.hasRow("k")).isFalse();
	}

	@Test
	void aRenewalIsOneWriteAndKeepsTheFencingToken() {
		this.lock.lock(RegistryNode.LONG_LEASE);
		HeldLock held = this.node.held("k");
		String version = this.node.row("k").recordVersionNumber();
		this.node.calls().clear();
		this.node.registry().renewLock("k");
		assertThat(this.node.calls().all()).hasSize(1);
		assertThat(this.node.row("k").recordVersionNumber()).isNotEqualTo(version);
		assertThat(this.node.row("k").fencingToken()).hasValue(held.fencingToken());
		this.lock.unlock();
	}

	@Test
	void aLockThatIsRenewedByItselfGoesOnWithTheTimeToLiveOfARenewal() {
		this.lock.lock();
		Duration timeToLive = LEASE.multipliedBy(3);
		this.node.registry().renewLock("k", timeToLive);
		this.node.calls().clear();
		await().until(() -> !this.node.calls().all().isEmpty());
		assertThat(this.node.row("k").leaseDuration()).isEqualTo(timeToLive);
		assertThat(this.node.held("k").isAutomaticallyRenewed()).isTrue();
		this.lock.unlock();
	}

	@Test
	void onlyTheThreadThatOwnsALockRenewsIt() throws Exception {
		assertNotOwned();
		this.lock.lock();
		try (Worker worker = new Worker()) {
			assertThat(worker.call(() -> {
				assertNotOwned();
				return true;
			})).isTrue();
		}
		this.lock.unlock();
		assertNotOwned();
	}

	private void assertNotOwned() {
		assertThatExceptionOfType(IllegalMonitorStateException.class)
			.isThrownBy(() -> this.node.registry().renewLock("k"))
			.withMessageContaining("own");
		assertThatExceptionOfType(IllegalMonitorStateException.class)
			.isThrownBy(() -> this.node.registry().renewLock("k", LEASE))
			.withMessageContaining("own");
	}

	@Test
	void aLostLockIsNotRenewed() {
		this.lock.lock();
		this.node.lose("k");
		assertThatIllegalStateException().isThrownBy(() -> this.node.registry().renewLock("k"))
			.withMessageContaining("registry:k")
			.withMessageContaining("lost");
		assertThatIllegalStateException().isThrownBy(() -> this.node.registry().renewLock("k", LEASE))
			.withMessageContaining("lost");
		assertThat(this.lock.tryLock()).isFalse();
		assertNotOwned();
	}

	@Test
	void aTimeToLiveThatIsTooShortOrTooLongIsRefusedBeforeAnythingIsSent() {
		for (Duration ttl : new Duration[] { Duration.ZERO, Duration.ofMillis(-1), Duration.ofMillis(99),
				Duration.ofDays(366), Duration.ofNanos(200_000_001) }) {
			assertThatIllegalArgumentException().isThrownBy(() -> this.lock.lock(ttl));
			assertThatIllegalArgumentException().isThrownBy(() -> this.lock.tryLock(LEASE, ttl));
		}
		assertThat(this.node.calls().all()).isEmpty();
		this.lock.lock();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.node.registry().renewLock("k", Duration.ofMillis(99)));
		assertThat(this.lock.tryLock()).isTrue();
		this.lock.unlock();
		this.lock.unlock();
	}

	@Test
	void anyTimeMayBeWaited() throws Exception {
		for (long time : new long[] { Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE }) {
			for (TimeUnit unit : new TimeUnit[] { TimeUnit.NANOSECONDS, TimeUnit.DAYS }) {
				assertThat(this.lock.tryLock(time, unit)).isTrue();
				this.lock.unlock();
			}
		}
		for (Duration time : new Duration[] { Duration.ofSeconds(Long.MIN_VALUE), Duration.ofSeconds(-1),
				Duration.ofSeconds(Long.MAX_VALUE) }) {
			assertThat(this.lock.tryLock(time, LEASE)).isTrue();
			this.lock.unlock();
		}
	}

	@Test
	void aTimeBelowZeroIsOneAttempt() throws Exception {
		this.other.lock("k").lock();
		assertThat(this.lock.tryLock(Long.MIN_VALUE, TimeUnit.NANOSECONDS)).isFalse();
		assertThat(this.lock.tryLock(Duration.ofDays(-1), LEASE)).isFalse();
		this.lock = this.node.newRegistry().obtain("k");
		assertThat(this.lock.tryLock(-1, TimeUnit.DAYS)).isFalse();
		this.other.lock("k").unlock();
	}

}

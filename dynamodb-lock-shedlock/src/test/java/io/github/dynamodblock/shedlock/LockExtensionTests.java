/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Extensions of locks replace both limits, and keep other nodes out.
 */
class LockExtensionTests extends TwoNodes {

	LockExtensionTests() {
		super(TestTable.LONG_LEASE);
	}

	@Test
	void anExtensionReplacesLockAtMostFor() {
		SimpleLock extended = lock(limits(SHORT, Duration.ZERO)).extend(HOUR, Duration.ZERO).orElseThrow();
		soon().during(SHORT.plusSeconds(2)).until(() -> this.otherProvider.lock(anHour()).isEmpty());
		assertLocked();
		extended.unlock();
		assertFree();
	}

	@Test
	void anExtensionCanShortenLockAtMostFor() {
		assertThat(lock(anHour()).extend(SHORT, Duration.ZERO)).isPresent();
		lockOfTheOtherNode();
	}

	@Test
	void anExtensionReplacesLockAtLeastFor() {
		long start = System.nanoTime();
		SimpleLock extended = lock(limits(HOUR, HOUR)).extend(HOUR, SHORT).orElseThrow();
		extended.unlock();
		assertLocked();
		lockOfTheOtherNode().unlock();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(SHORT);
	}

	@Test
	void aLockCanBeExtendedOftenAndNoOtherNodeGetsItInBetween() throws Exception {
		SimpleLock lock = lock(limits(SHORT, Duration.ZERO));
		AtomicInteger granted = new AtomicInteger();
		ExecutorService others = Executors.newFixedThreadPool(2);
		try {
			List<Future<?>> tries = new ArrayList<>();
			for (LockProvider each : List.of(this.provider, this.otherProvider)) {
				tries.add(others.submit(() -> {
					for (int i = 0; i < 100; i++) {
						each.lock(anHour()).ifPresent((stolen) -> granted.incrementAndGet());
					}
				}));
			}
			for (int i = 0; i < 50; i++) {
				lock = lock.extend(HOUR, Duration.ZERO).orElseThrow();
			}
			for (Future<?> each : tries) {
				each.get();
			}
		}
		finally {
			others.shutdownNow();
		}
		assertThat(granted).hasValue(0);
		lock.unlock();
		assertFree();
	}

	@Test
	void anExtendedLockIsNotValidAnyMore() {
		SimpleLock lock = lock(anHour());
		SimpleLock extended = lock.extend(HOUR, Duration.ZERO).orElseThrow();
		assertThatIllegalStateException().isThrownBy(lock::unlock);
		assertThatIllegalStateException().isThrownBy(() -> lock.extend(HOUR, Duration.ZERO));
		assertLocked();
		extended.unlock();
		assertFree();
	}

	@Test
	void aLostLockCannotBeExtended() {
		SimpleLock lock = lock(limits(SHORT, Duration.ZERO));
		SimpleLock later = lockOfTheOtherNode();
		assertThat(lock.extend(HOUR, Duration.ZERO)).isEmpty();
		assertLocked();
		later.unlock();
		assertFree();
	}

}

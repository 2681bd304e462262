/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRecord;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What ShedLock expects of a lock provider: exclusion, {@code lockAtMostFor},
 * {@code lockAtLeastFor} and unlocks.
 */
class DynamoDbLockProviderTests extends TwoNodes {

	DynamoDbLockProviderTests() {
		super(TestTable.LONG_LEASE);
	}

	@Test
	void oneOfTwoProvidersGetsTheLockAndTheOtherOneAfterTheUnlock() {
		SimpleLock lock = lock(anHour());
		assertLocked();
		lock.unlock();
		assertFree();
	}

	@Test
	void locksWithDifferentNamesDoNotExcludeEachOther() {
		lock(anHour());
		LockConfiguration another = new LockConfiguration(Instant.now(), "another job", HOUR, Duration.ZERO);
		assertThat(this.otherProvider.lock(another)).isPresent();
	}

	@Test
	void everyTaskHasTheSameNameInMeters() {
		lock(anHour());
		assertThat(this.client.held()).extracting(HeldLock::name).containsExactly(Optional.of("shedlock"));
	}

	@Test
	void aRefusedLockReturnsAtOnce() {
		lock(anHour());
		long start = System.nanoTime();
		assertThat(this.otherProvider.lock(anHour())).isEmpty();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TestTable.LONG_LEASE);
	}

	@Test
	void heartbeatsKeepTheLockForLongerThanALease() {
		LockClient shorter = this.table.newClient(TestTable.LEASE);
		SimpleLock lock = new DynamoDbLockProvider(shorter).lock(anHour()).orElseThrow();
		soon().during(TestTable.LEASE.plusSeconds(1)).until(() -> this.otherProvider.lock(anHour()).isEmpty());
		assertThat(shorter.held()).singleElement().matches(HeldLock::isHeld);
		lock.unlock();
		assertFree();
	}

	@Test
	void lockAtLeastForKeepsTheLockAfterTheUnlock() {
		long start = System.nanoTime();
		SimpleLock lock = lock(limits(HOUR, SHORT.multipliedBy(2)));
		lock.unlock();
		assertLocked();
		lockOfTheOtherNode();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(SHORT.multipliedBy(2));
	}

	@Test
	void lockAtLeastForKeepsTheLockAfterTheClientIsClosed() {
		SimpleLock lock = lock(limits(HOUR, Duration.ofMinutes(1)));
		lock.unlock();
		this.client.close();
		assertThat(this.otherProvider.lock(anHour())).isEmpty();
	}

	@Test
	void afterLockAtMostForAnotherNodeGetsTheLockAlthoughTheTaskStillRuns() {
		long start = System.nanoTime();
		lock(limits(SHORT, Duration.ZERO));
		lockOfTheOtherNode();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(SHORT);
	}

	@Test
	void aLateUnlockDoesNotReleaseTheLockOfALaterOwner() {
		SimpleLock stale = lock(limits(SHORT, Duration.ZERO));
		SimpleLock later = lockOfTheOtherNode();
		stale.unlock();
		assertLocked();
		assertThat(this.otherClient.held()).singleElement().matches(HeldLock::isHeld);
		later.unlock();
		assertFree();
	}

	@Test
	void anUnlockedLockIsNotValidAnyMore() {
		SimpleLock lock = lock(anHour());
		lock.unlock();
		assertThatIllegalStateException().isThrownBy(lock::unlock);
		assertThatIllegalStateException().isThrownBy(() -> lock.extend(HOUR, Duration.ZERO));
		assertFree();
	}

	@Test
	void aKeyPrefixSeparatesLocks() {
		lock(anHour());
		assertThat(this.client.find("shedlock:job")).isPresent();
		LockProvider prefixed = new DynamoDbLockProvider(this.otherClient, "tenant-7:");
		assertThat(prefixed.lock(anHour())).isPresent();
		assertThat(this.client.find("tenant-7:job")).map(LockRecord::ownerName).hasValue(this.otherClient.ownerName());
		assertThat(new DynamoDbLockProvider(this.otherClient, "").lock(anHour())).isPresent();
		assertThat(this.client.find("job")).isPresent();
	}

	@Test
	void manyThreadsOfSeveralNodesCountUnderTheLock() throws Exception {
		int target = 100;
		int[] count = new int[1];
		AtomicInteger inside = new AtomicInteger();
		ExecutorService threads = Executors.newCachedThreadPool();
		try {
			List<Future<Integer>> counting = new ArrayList<>();
			for (int i = 0; i < 6; i++) {
				LockProvider node = List.of(this.provider, this.otherProvider).get(i % 2);
				counting.add(threads.submit(() -> count(node, count, target, inside)));
			}
			int sum = 0;
			for (Future<Integer> each : counting) {
				sum += each.get();
			}
			assertThat(sum).isEqualTo(target);
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(count[0]).isEqualTo(target);
	}

	/** Without any synchronization but the lock; every fifth lock is extended. */
	private static int count(LockProvider node, int[] count, int target, AtomicInteger inside) {
		int own = 0;
		while (true) {
			Optional<SimpleLock> granted = node.lock(anHour());
			if (granted.isEmpty()) {
				continue;
			}
			SimpleLock lock = granted.get();
			try {
				assertThat(inside.incrementAndGet()).isEqualTo(1);
				int before = count[0];
				if (before % 5 == 0) {
					lock = lock.extend(HOUR, Duration.ZERO).orElseThrow();
				}
				if (before == target) {
					return own;
				}
				count[0] = before + 1;
				own++;
			}
			finally {
				inside.decrementAndGet();
				lock.unlock();
			}
		}
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallFault;
import io.github.dynamodblock.testing.FaultyCalls;
import io.github.dynamodblock.testing.FaultyCalls.Injection;
import io.github.dynamodblock.testing.Hang;
import io.github.dynamodblock.testing.LockCalls;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Many locks of one client whose heartbeats are slow or hang.
 */
@Isolated("what else runs would take time from a hundred heartbeats")
class ManyLocksTests {

	private static final Duration LEASE = Duration.ofSeconds(4);

	private final TableSchema table = TestDynamoDb.newTable();

	private final FaultyCalls faults = new FaultyCalls();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClient(this.faults);

	private final Map<String, String> events = new ConcurrentHashMap<>();

	private final LockClient client = LockClient.builder(this.dynamoDb)
		.tableName(this.table.tableName())
		.leaseDuration(LEASE)
		.waitTime(Duration.ofMinutes(1))
		.listener(new LockListener() {
			@Override
			public void onExpiring(HeldLock lock) {
				ManyLocksTests.this.events.merge(lock.key().partition(), "expiring",
						(reported, next) -> reported + " " + next);
			}

			@Override
			public void onLost(HeldLock lock, LossReason reason) {
				ManyLocksTests.this.events.merge(lock.key().partition(), reason.name(),
						(reported, next) -> reported + " " + next);
			}
		})
		.build();

	@AfterEach
	void close() {
		this.client.close();
		this.dynamoDb.close();
	}

	@Test
	void slowHeartbeatsLoseNoneOfManyLocks() throws Exception {
		// One after the other, a round of heartbeats would take longer than the lease.
		int count = 100;
		Injection slow = this.faults.inject(CallFault.delayed(Duration.ofMillis(50)), LockCalls::isHeartbeat);
		List<HeldLock> locks = acquire("slow-", count);
		for (int round = 0; round < 3; round++) {
			awaitAHeartbeatOfEach(locks);
		}
		assertThat(slow.count()).isGreaterThanOrEqualTo(3 * count);
		assertThat(locks).allMatch(HeldLock::isHeld);
		assertThat(this.events).doesNotContainValue("EXPIRED");
	}

	@Test
	void heartbeatsThatHangDelayNeitherOtherLocksNorTheNewsOfTheirOwn() throws Exception {
		try (Hang hang = Hang.beyondTheirLimit()) {
			this.faults.inject(hang, LockCalls.ofKey("hung-").and(LockCalls::isHeartbeat));
			List<HeldLock> hung = acquire("hung-", 6);
			List<HeldLock> others = acquireSturdy("other-", 40);
			await().atMost(Duration.ofSeconds(30)).until(() -> hung.stream().noneMatch(HeldLock::isHeld));
			assertThat(hang.hanging()).isEqualTo(hung.size());
			awaitAHeartbeatOfEach(others);
			assertThat(others).allMatch(HeldLock::isHeld);
			await().atMost(Duration.ofSeconds(30))
				.until(() -> this.events.size() == hung.size() && !this.events.containsValue("expiring"));
			assertThat(this.events).allSatisfy((key, reported) -> {
				assertThat(key).startsWith("hung-");
				assertThat(reported).isEqualTo("expiring EXPIRED");
			});
		}
	}

	@Test
	void throttledHeartbeatsLoseTheirOwnLocksOnly() throws Exception {
		// The SDK's own client, whose retries would keep a slot for seconds.
		this.faults.inject(CallFault.throttled(), LockCalls.ofKey("throttled-").and(LockCalls::isHeartbeat));
		List<HeldLock> healthy = acquireSturdy("healthy-", 150);
		List<HeldLock> throttled = acquire("throttled-", 100);
		await().atMost(Duration.ofSeconds(30)).until(() -> throttled.stream().noneMatch(HeldLock::isHeld));
		awaitAHeartbeatOfEach(healthy);
		assertThat(healthy).allMatch(HeldLock::isHeld);
	}

	private List<HeldLock> acquire(String prefix, int count) throws InterruptedException {
		return acquire(prefix, count, LockRequest::of);
	}

	/**
	 * Acquires locks whose heartbeats come as often as those of the others, but whose
	 * leases outlast a machine that stalls: they are to be lost by no fault of others.
	 */
	private List<HeldLock> acquireSturdy(String prefix, int count) throws InterruptedException {
		return acquire(prefix, count,
				(key) -> LockRequest.of(key).leaseDuration(LEASE.multipliedBy(5)).heartbeatPeriod(LEASE.dividedBy(4)));
	}

	private List<HeldLock> acquire(String prefix, int count, Function<String, LockRequest> request)
			throws InterruptedException {
		List<HeldLock> locks = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			locks.add(this.client.acquire(request.apply(prefix + i)));
		}
		return locks;
	}

	private static void awaitAHeartbeatOfEach(List<HeldLock> locks) {
		List<String> before = versions(locks);
		await().failFast("a lock was lost", () -> !locks.stream().allMatch(HeldLock::isHeld))
			.atMost(Duration.ofSeconds(30))
			.until(() -> Collections.disjoint(new HashSet<>(before), versions(locks)));
	}

	private static List<String> versions(List<HeldLock> locks) {
		return locks.stream().map((lock) -> lock.record().recordVersionNumber()).toList();
	}

}

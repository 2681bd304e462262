/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.ReleaseOutcome;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Measures acquire and release without contention. */
final class LatencyCheck implements Check {

	private static final int WARM_UP = 20;

	private static final int CYCLES = 200;

	@Override
	public String title() {
		return "Acquire and release, uncontended";
	}

	@Override
	public Outcome run(RunContext context) throws InterruptedException {
		List<Duration> acquires = new ArrayList<>();
		List<Duration> releases = new ArrayList<>();
		int released = 0;
		try (DynamoDbClient dynamoDb = context.newClient()) {
			String table = context.createTable(dynamoDb, "latency");
			long before = context.meter().calls("UpdateItem");
			try (LockClient locks = LockClient.builder(dynamoDb).tableName(table).build()) {
				for (int i = -WARM_UP; i < CYCLES; i++) {
					long start = System.nanoTime();
					HeldLock lock = locks.acquire("lock-" + i);
					long acquired = System.nanoTime();
					ReleaseOutcome outcome = lock.release();
					long end = System.nanoTime();
					released += (outcome == ReleaseOutcome.RELEASED) ? 1 : 0;
					if (i >= 0) {
						acquires.add(Duration.ofNanos(acquired - start));
						releases.add(Duration.ofNanos(end - acquired));
					}
				}
			}
			long calls = context.meter().calls("UpdateItem") - before;
			int cycles = WARM_UP + CYCLES;
			List<String> rows = new Latencies().add("acquire", acquires).add("release", releases).rows();
			return ((released == cycles)
					? Outcome.held(cycles + " locks were acquired and released, with " + calls + " calls of UpdateItem")
					: Outcome.failed("Only " + released + " of " + cycles + " releases were confirmed"))
				.with(rows);
		}
	}

}

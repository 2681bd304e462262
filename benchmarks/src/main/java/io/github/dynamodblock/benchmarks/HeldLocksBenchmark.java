/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Many locks of one client, held at the same time.
 */
final class HeldLocksBenchmark implements Benchmark {

	private static final String TABLE = "benchmark-held-locks";

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static final Duration HEARTBEAT = Duration.ofSeconds(5);

	// Calls of the application's own run on a thread or two more for each of its threads.
	private static final int ACQUIRERS = 1;

	private static final int RELEASERS = 8;

	private static final double MOST_AGE = 0.5;

	private static final int MOST_THREADS = 16;

	private final int locks;

	private final Duration duration;

	/**
	 * @param locks how many
	 * @param duration how long they are held, from the moment at which all are
	 */
	HeldLocksBenchmark(int locks, Duration duration) {
		this.locks = locks;
		this.duration = duration;
	}

	@Override
	public List<Figure> measure(DatabaseProcess database) throws InterruptedException {
		database.createTable(TABLE);
		HeartbeatAges ages = new HeartbeatAges();
		try (DynamoDbClient dynamoDb = database.newClient(ages);
				LockThreadCount threads = LockThreadCount.start();
				LockClient client = LockClient.builder(dynamoDb)
					.tableName(TABLE)
					.leaseDuration(LEASE)
					.heartbeatPeriod(HEARTBEAT)
					.build()) {
			long began = System.nanoTime();
			Collection<HeldLock> held = acquireAll(client);
			double acquiringSeconds = Units.seconds(System.nanoTime() - began);
			long heartbeatsBefore = ages.heartbeats();
			long allHeld = System.nanoTime();
			Thread.sleep(this.duration.toMillis());
			double heartbeatsPerSecond = (ages.heartbeats() - heartbeatsBefore)
					/ Units.seconds(System.nanoTime() - allHeld);
			double oldest = ages.oldestSeconds();
			int peak = threads.peak();
			List<HeldLock> lost = held.stream().filter((lock) -> !lock.isHeld()).toList();
			releaseAll(held);
			return List.of(
					new Figure("lost of " + this.locks + " held locks",
							String.format(Locale.ROOT, "%d in %.0f s, of which %.0f s to acquire them%s", lost.size(),
									acquiringSeconds + this.duration.toSeconds(), acquiringSeconds, reasons(lost)),
							"0", lost.isEmpty()),
					new Figure("oldest heartbeat of " + this.locks + " held locks",
							String.format(Locale.ROOT, "%.2f s, %.3f of the lease; %.0f heartbeats a second", oldest,
									oldest / LEASE.toSeconds(), heartbeatsPerSecond),
							"at most half the lease", oldest <= MOST_AGE * LEASE.toSeconds()),
					new Figure("threads for " + this.locks + " held locks",
							peak + " at most, while one thread acquires and all are held", "at most 16",
							peak <= MOST_THREADS));
		}
	}

	private Collection<HeldLock> acquireAll(LockClient client) throws InterruptedException {
		Collection<HeldLock> held = new ConcurrentLinkedQueue<>();
		Workers.run(ACQUIRERS, (first) -> {
			for (int number = first; number < this.locks; number += ACQUIRERS) {
				held.add(client.acquire("held-" + number));
			}
		});
		return held;
	}

	private static void releaseAll(Collection<HeldLock> held) throws InterruptedException {
		List<HeldLock> locks = List.copyOf(held);
		Workers.run(RELEASERS, (first) -> {
			for (int number = first; number < locks.size(); number += RELEASERS) {
				locks.get(number).release();
			}
		});
	}

	private static String reasons(List<HeldLock> lost) {
		return lost.stream()
			.collect(Collectors.groupingBy((lock) -> lock.lossReason().map(Objects::toString).orElse("unknown"),
					Collectors.counting()))
			.entrySet()
			.stream()
			.map((each) -> ", " + each.getValue() + " " + each.getKey())
			.collect(Collectors.joining());
	}

}

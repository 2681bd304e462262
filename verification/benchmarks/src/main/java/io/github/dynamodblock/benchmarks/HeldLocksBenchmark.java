/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Many locks of one client, held at the same time: whether they are kept, and what they
 * take of threads, memory and time.
 *
 * <p>
 * The number of concurrent heartbeats follows from the load: a heartbeat occupies a
 * thread for the time of its call, which is the added latency and what DynamoDB Local
 * takes on a busy machine.
 */
final class HeldLocksBenchmark implements Benchmark {

	static final String TABLE = "benchmark-held-locks";

	/**
	 * Shorter ones need more heartbeats than DynamoDB Local answers on two processors.
	 */
	private static final Duration LEASE = Duration.ofSeconds(60);

	private static final Duration HEARTBEAT = Duration.ofSeconds(20);

	/** A call of a heartbeat takes up to that long before heartbeats fall behind. */
	private static final Duration CALL = Duration.ofMillis(28);

	private static final int ACQUIRERS = 4;

	private static final int RELEASERS = 8;

	/** A machine that is too slow ends each of the two with what it has. */
	private static final Duration LONGEST_LOOP = Duration.ofMinutes(5);

	private static final double MOST_AGE = 0.5;

	/** Timers, listeners and the like, besides the threads of the heartbeats. */
	private static final int OTHER_THREADS = 4;

	private static final String THREAD_PREFIX = "dynamodb-lock-";

	private static final long COUNT_PERIOD_MILLIS = 20;

	private static final double MOST_LIST_MILLIS = 10;

	private static final int LISTS = 21;

	private static final double MOST_KILOBYTES = 1;

	private static final double BYTES_PER_KILOBYTE = 1_024;

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

	/** Enough for one heartbeat of each lock a period, if a call takes {@link #CALL}. */
	static int concurrentHeartbeats(int locks) {
		return (int) Math.ceil((double) locks * CALL.toMillis() / HEARTBEAT.toMillis());
	}

	@Override
	public List<Figure> measure(DatabaseProcess database) throws InterruptedException {
		database.createTable(TABLE);
		HeartbeatAges ages = new HeartbeatAges();
		try (DynamoDbClient dynamoDb = database.newClient(ages);
				LockClient client = LockClient.builder(dynamoDb)
					.tableName(TABLE)
					.leaseDuration(LEASE)
					.heartbeatPeriod(HEARTBEAT)
					.maxConcurrentHeartbeats(concurrentHeartbeats(this.locks))
					.build()) {
			List<Figure> figures = new ArrayList<>();
			Collection<String> failures = new ConcurrentLinkedQueue<>();
			Collection<HeldLock> held = acquireAll(client, figures, failures);
			figures.addAll(keep(client, held, ages));
			// Listeners and threads of the acquisitions have let go of them by now.
			long bytesHeld = UsedHeap.bytes();
			releaseAll(held, failures);
			held.clear();
			figures.add(memory(bytesHeld - UsedHeap.bytes()));
			figures.add(new Figure("failed acquires and releases of " + this.locks + " locks",
					failures.size() + failures.stream().findFirst().map((first) -> ", the first: " + first).orElse(""),
					"0", failures.isEmpty()));
			return figures;
		}
	}

	private List<Figure> keep(LockClient client, Collection<HeldLock> held, HeartbeatAges ages)
			throws InterruptedException {
		long heartbeatsBefore = ages.heartbeats();
		long began = System.nanoTime();
		long threads = 0;
		while (System.nanoTime() - began < this.duration.toNanos()) {
			threads = Math.max(threads, lockThreads());
			Thread.sleep(COUNT_PERIOD_MILLIS);
		}
		double perSecond = (ages.heartbeats() - heartbeatsBefore) / Units.seconds(System.nanoTime() - began);
		double oldest = ages.oldestSeconds();
		double listMillis = listMillis(client);
		List<HeldLock> lost = held.stream().filter((lock) -> !lock.isHeld()).toList();
		int mostThreads = concurrentHeartbeats(this.locks) + OTHER_THREADS;
		return List.of(
				new Figure("lost of " + this.locks + " held locks",
						String.format(Locale.ROOT, "%d in %d s%s", lost.size(), this.duration.toSeconds(),
								reasons(lost)),
						"0", lost.isEmpty()),
				new Figure("oldest heartbeat of " + this.locks + " held locks",
						String.format(Locale.ROOT, "%.2f s, %.3f of the lease; %.0f heartbeats a second", oldest,
								oldest / LEASE.toSeconds(), perSecond),
						"at most half the lease", oldest <= MOST_AGE * LEASE.toSeconds()),
				new Figure("threads for " + this.locks + " held locks",
						threads + " at most, " + concurrentHeartbeats(this.locks) + " heartbeats at a time",
						"at most " + mostThreads, threads <= mostThreads),
				new Figure("held() of " + this.locks + " held locks",
						String.format(Locale.ROOT, "%.2f ms, median of %d", listMillis, LISTS),
						"less than " + (int) MOST_LIST_MILLIS + " ms", listMillis < MOST_LIST_MILLIS));
	}

	private static long lockThreads() {
		// Room for threads that begin meanwhile.
		Thread[] threads = new Thread[2 * Thread.activeCount() + 100];
		Thread.enumerate(threads);
		return Arrays.stream(threads)
			.filter(Objects::nonNull)
			.filter((thread) -> thread.getName().startsWith(THREAD_PREFIX))
			.count();
	}

	private static double listMillis(LockClient client) {
		Samples millis = new Samples();
		for (int i = 0; i < LISTS; i++) {
			long began = System.nanoTime();
			client.held();
			millis.add(Units.millisSince(began));
		}
		return millis.median();
	}

	/**
	 * What the release of all locks freed. What the client keeps beyond the release, and
	 * the keys that {@link HeartbeatAges} keeps, is not part of it.
	 */
	private Figure memory(long bytes) {
		double kilobytes = bytes / BYTES_PER_KILOBYTE / this.locks;
		return new Figure("memory of " + this.locks + " held locks",
				String.format(Locale.ROOT, "%.2f KB each, freed by their release", kilobytes),
				"at most " + (int) MOST_KILOBYTES + " KB", kilobytes <= MOST_KILOBYTES);
	}

	private Collection<HeldLock> acquireAll(LockClient client, List<Figure> figures, Collection<String> failures)
			throws InterruptedException {
		long began = System.nanoTime();
		Collection<HeldLock> held = new ConcurrentLinkedQueue<>();
		forEach(ACQUIRERS, this.locks, failures, (number) -> held.add(client.acquire("held-" + number)));
		double seconds = Units.seconds(System.nanoTime() - began);
		List<HeldLock> lost = held.stream().filter((lock) -> !lock.isHeld()).toList();
		figures.add(new Figure("lost while " + this.locks + " are acquired",
				String.format(Locale.ROOT, "%d of %d in %.0f s%s", lost.size(), held.size(), seconds, reasons(lost)),
				"0", lost.isEmpty() && held.size() == this.locks));
		return held;
	}

	private static void releaseAll(Collection<HeldLock> held, Collection<String> failures) throws InterruptedException {
		List<HeldLock> locks = List.copyOf(held);
		forEach(RELEASERS, locks.size(), failures, (number) -> locks.get(number).release());
	}

	/**
	 * Does something with each lock, on some threads. A failure is noted and ends
	 * nothing: the release of a lock whose lease is about to end has no time left for its
	 * call.
	 */
	private static void forEach(int threads, int count, Collection<String> failures, Workers.Worker work)
			throws InterruptedException {
		long end = System.nanoTime() + LONGEST_LOOP.toNanos();
		Workers.run(threads, (first) -> {
			for (int number = first; number < count; number += threads) {
				if (System.nanoTime() - end > 0) {
					failures.add("not done after " + LONGEST_LOOP.toSeconds() + " s");
					return;
				}
				try {
					work.work(number);
				}
				catch (LockException ex) {
					failures.add(String.valueOf(ex.getMessage()));
				}
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

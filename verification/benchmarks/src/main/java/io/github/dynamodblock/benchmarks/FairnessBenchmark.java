/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicIntegerArray;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Many threads of a few clients that want one lock all the time: how long they wait, and
 * how evenly they get it.
 */
final class FairnessBenchmark implements Benchmark {

	private static final String TABLE = "benchmark-fairness";

	private static final int CLIENTS = 2;

	private static final int THREADS_EACH = 8;

	private static final double MOST_SECONDS = 5;

	private static final double MOST_RATIO = 2;

	private final List<Duration> holds;

	private final Duration duration;

	/**
	 * @param holds how long a thread holds the lock, for each of the runs
	 * @param duration how long each run lasts
	 */
	FairnessBenchmark(List<Duration> holds, Duration duration) {
		this.holds = holds;
		this.duration = duration;
	}

	@Override
	public List<Figure> measure(DatabaseProcess database) throws InterruptedException {
		database.createTable(TABLE);
		List<Figure> figures = new ArrayList<>();
		for (Duration hold : this.holds) {
			figures.addAll(contend(database, hold));
		}
		return figures;
	}

	private List<Figure> contend(DatabaseProcess database, Duration hold) throws InterruptedException {
		Samples waitSeconds = new Samples();
		AtomicIntegerArray grants = new AtomicIntegerArray(CLIENTS * THREADS_EACH);
		try (DynamoDbClient firstDynamoDb = database.newClient();
				DynamoDbClient secondDynamoDb = database.newClient();
				LockClient first = LockClient.builder(firstDynamoDb).tableName(TABLE).build();
				LockClient second = LockClient.builder(secondDynamoDb).tableName(TABLE).build()) {
			long end = System.nanoTime() + this.duration.toNanos();
			Workers.run(CLIENTS * THREADS_EACH, (number) -> {
				LockClient locks = (number < THREADS_EACH) ? first : second;
				while (System.nanoTime() - end < 0) {
					long began = System.nanoTime();
					HeldLock lock = locks.acquire(LockRequest.of("contended").waitTime(Duration.ofMinutes(2)));
					long granted = System.nanoTime();
					waitSeconds.add(Units.seconds(granted - began));
					if (granted - end < 0) {
						grants.incrementAndGet(number);
						Thread.sleep(hold.toMillis());
					}
					lock.release();
				}
			});
		}
		return figures(hold, waitSeconds, grants);
	}

	private static List<Figure> figures(Duration hold, Samples waitSeconds, AtomicIntegerArray grants) {
		Samples perThread = new Samples();
		for (int thread = 0; thread < grants.length(); thread++) {
			perThread.add(grants.get(thread));
		}
		double ratio = perThread.greatest() / perThread.least();
		String held = hold.isZero() ? ", no hold" : ", holds of " + hold.toMillis() + " ms";
		return List.of(
				new Figure("longest wait of 16 threads" + held,
						String.format(Locale.ROOT, "%.2f s, median %.2f s", waitSeconds.greatest(),
								waitSeconds.median()),
						"at most 5 s", waitSeconds.greatest() <= MOST_SECONDS),
				new Figure(
						"most over least acquisitions of 16 threads" + held, String.format(Locale.ROOT,
								"%.2f, from %.0f to %.0f", ratio, perThread.least(), perThread.greatest()),
						"at most 2", ratio <= MOST_RATIO));
	}

}

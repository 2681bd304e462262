/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.DoubleAdder;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * A lock that goes from client to client, each of which holds it for about a second while
 * the others wait for it with the default polling. Who released it waits again once
 * somebody else has it.
 */
final class HandOffBenchmark implements Benchmark {

	private static final String TABLE = "benchmark-hand-off";

	private static final double MOST_MILLIS = 40;

	private static final double MOST_UNITS = 12;

	private final List<Integer> waiters;

	private final int handOffs;

	/**
	 * @param waiters how many clients wait, for each of the runs
	 * @param handOffs how often the lock changes hands in each run
	 */
	HandOffBenchmark(List<Integer> waiters, int handOffs) {
		this.waiters = waiters;
		this.handOffs = handOffs;
	}

	@Override
	public List<Figure> measure(DatabaseProcess database) throws InterruptedException {
		database.createTable(TABLE);
		List<Figure> figures = new ArrayList<>();
		for (int each : this.waiters) {
			figures.addAll(new Relay(database, each).run());
		}
		return figures;
	}

	/**
	 * The way of one lock through some clients.
	 */
	private final class Relay {

		private final DatabaseProcess database;

		private final int waiters;

		private final AtomicInteger grants = new AtomicInteger();

		/** When the lock is granted to the next: what its holder of now waits for. */
		private final AtomicReference<CompletableFuture<Long>> succession = new AtomicReference<>(
				new CompletableFuture<>());

		private final Samples handOffMillis = new Samples();

		private final DoubleAdder waitedSeconds = new DoubleAdder();

		private final DoubleAdder units = new DoubleAdder();

		Relay(DatabaseProcess database, int waiters) {
			this.database = database;
			this.waiters = waiters;
		}

		List<Figure> run() throws InterruptedException {
			Workers.run(this.waiters + 1, (number) -> {
				CallMeter meter = new CallMeter();
				try (DynamoDbClient dynamoDb = this.database.newClient(meter);
						LockClient locks = LockClient.builder(dynamoDb).tableName(TABLE).build()) {
					while (!isOver()) {
						takeAndPassOn(locks, meter);
					}
				}
			});
			String name = (this.waiters == 1) ? "one waiter" : this.waiters + " waiters";
			double perSecond = this.units.sum() / this.waitedSeconds.sum();
			return List.of(
					new Figure("hand-off, " + name,
							String.format(Locale.ROOT, "median %.1f ms after the release (%.1f to %.1f ms, %d times)",
									this.handOffMillis.median(), this.handOffMillis.least(),
									this.handOffMillis.greatest(), this.handOffMillis.size()),
							"at most 40 ms", this.handOffMillis.median() <= MOST_MILLIS),
					new Figure("cost of waiting, " + name,
							String.format(Locale.ROOT, "%.1f capacity units a second and waiting client", perSecond),
							"at most 12", perSecond <= MOST_UNITS));
		}

		private boolean isOver() {
			return this.grants.get() > HandOffBenchmark.this.handOffs;
		}

		private void takeAndPassOn(LockClient locks, CallMeter meter) throws InterruptedException {
			meter.reset();
			long began = System.nanoTime();
			HeldLock lock = locks.acquire(LockRequest.of("baton").waitTime(Duration.ofMinutes(5)));
			long granted = System.nanoTime();
			CompletableFuture<Long> nextGrant = new CompletableFuture<>();
			this.succession.getAndSet(nextGrant).complete(granted);
			// The first grant of all follows nobody, and the last ones no hold.
			if (this.grants.getAndIncrement() > 0 && !isOver()) {
				this.units.add(meter.units());
				this.waitedSeconds.add(Units.seconds(granted - began));
			}
			if (isOver()) {
				lock.release();
				return;
			}
			// Not always the same, so that a release meets the polls at any point.
			Thread.sleep(ThreadLocalRandom.current().nextLong(900, 1_100));
			lock.release();
			long released = System.nanoTime();
			this.handOffMillis.add(Units.millis(await(nextGrant) - released));
		}

		/**
		 * Unlike a join, it ends when this worker is to end because another one failed.
		 */
		private static long await(CompletableFuture<Long> grant) throws InterruptedException {
			try {
				return grant.get();
			}
			catch (ExecutionException ex) {
				throw new IllegalStateException("Nobody completes a grant with a failure", ex);
			}
		}

	}

}

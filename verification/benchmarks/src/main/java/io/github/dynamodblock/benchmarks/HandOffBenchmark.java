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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.DoubleAdder;

import io.github.dynamodblock.benchmarks.LockingClient.Library;

/**
 * A lock that goes from client to client, each of which holds it for about a second while
 * the others wait for it with the default polling. Who released it waits again once
 * somebody else has it.
 */
final class HandOffBenchmark implements Benchmark {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static final Duration HOLD = Duration.ofSeconds(1);

	/** For the lock, and for another client to get it. */
	private static final Duration WAIT = Duration.ofMinutes(1);

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
		List<Figure> figures = new ArrayList<>();
		for (int each : this.waiters) {
			Relay relay = new Relay(this.handOffs, Duration.ofMillis(100));
			relay.run(database, Libraries.LOCKS, "benchmark-hand-off", each + 1);
			figures.addAll(relay.figures((each == 1) ? "one waiter" : each + " waiters"));
		}
		return figures;
	}

	/**
	 * The way of one lock through some clients.
	 */
	static final class Relay {

		private final int handOffs;

		private final Duration spread;

		private final AtomicInteger grants = new AtomicInteger();

		/** When the lock is granted to the next: what its holder of now waits for. */
		private final AtomicReference<CompletableFuture<Long>> succession = new AtomicReference<>(
				new CompletableFuture<>());

		private final Samples handOffMillis = new Samples();

		private final DoubleAdder waitedSeconds = new DoubleAdder();

		private final DoubleAdder units = new DoubleAdder();

		/**
		 * @param handOffs how often the lock changes hands
		 * @param spread by how much a hold is shorter or longer than a second: no less
		 * than a period of polling, so that a release meets the polls at any point
		 */
		Relay(int handOffs, Duration spread) {
			this.handOffs = handOffs;
			this.spread = spread;
		}

		/**
		 * Runs until the lock has changed hands often enough.
		 * @param database where the table is
		 * @param library whose lock it is
		 * @param table the name of the table
		 * @param clients how many clients, of which all but one wait
		 * @throws InterruptedException if this thread is interrupted
		 */
		void run(DatabaseProcess database, Library library, String table, int clients) throws InterruptedException {
			Workers.run(clients, (number) -> {
				CallMeter meter = new CallMeter();
				try (LockingClient client = library.open(database, table, LEASE, meter, new AddedLatency())) {
					while (!isOver()) {
						takeAndPassOn(client, meter);
					}
				}
			});
		}

		/** From the end of the release to the grant of the next client. */
		double medianMillis() {
			return this.handOffMillis.median();
		}

		/** What a client sends while it waits. */
		double unitsASecond() {
			return this.units.sum() / this.waitedSeconds.sum();
		}

		List<Figure> figures(String name) {
			return List.of(
					new Figure("hand-off, " + name,
							String.format(Locale.ROOT, "median %.1f ms after the release (%.1f to %.1f ms, %d times)",
									medianMillis(), this.handOffMillis.least(), this.handOffMillis.greatest(),
									this.handOffMillis.size()),
							"at most 40 ms", medianMillis() <= MOST_MILLIS),
					new Figure(
							"cost of waiting, " + name, String.format(Locale.ROOT,
									"%.1f capacity units a second and waiting client", unitsASecond()),
							"at most 12", unitsASecond() <= MOST_UNITS));
		}

		private boolean isOver() {
			return this.grants.get() > this.handOffs;
		}

		private void takeAndPassOn(LockingClient client, CallMeter meter) throws InterruptedException {
			meter.reset();
			long began = System.nanoTime();
			Runnable release = client.mustAcquire("baton", WAIT);
			long granted = System.nanoTime();
			CompletableFuture<Long> nextGrant = new CompletableFuture<>();
			this.succession.getAndSet(nextGrant).complete(granted);
			// The first grant of all follows nobody, and the last ones no hold.
			if (this.grants.getAndIncrement() > 0 && !isOver()) {
				this.units.add(meter.units());
				this.waitedSeconds.add(Units.seconds(granted - began));
			}
			if (isOver()) {
				release.run();
				return;
			}
			long spread = this.spread.toMillis();
			Thread.sleep(HOLD.toMillis() + ThreadLocalRandom.current().nextLong(-spread, spread));
			release.run();
			long released = System.nanoTime();
			this.handOffMillis.add(Units.millis(await(nextGrant) - released));
		}

		/**
		 * Unlike a join, it ends when this worker is to end because another one failed.
		 */
		private static long await(CompletableFuture<Long> grant) throws InterruptedException {
			try {
				return grant.get(WAIT.toSeconds(), TimeUnit.SECONDS);
			}
			catch (ExecutionException | TimeoutException ex) {
				throw new IllegalStateException("No other client got the lock", ex);
			}
		}

	}

}

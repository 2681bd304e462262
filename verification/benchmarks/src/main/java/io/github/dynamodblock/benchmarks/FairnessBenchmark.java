/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;

import io.github.dynamodblock.benchmarks.LockingClient.Library;

/**
 * Many threads of a few clients that want one lock all the time: how long they wait, and
 * how evenly they get it.
 */
final class FairnessBenchmark implements Benchmark {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static final Duration WAIT = Duration.ofMinutes(1);

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
		List<Figure> figures = new ArrayList<>();
		for (Duration hold : this.holds) {
			String held = hold.isZero() ? ", no hold" : ", holds of " + hold.toMillis() + " ms";
			figures.addAll(
					contend(database, Libraries.LOCKS, "benchmark-fairness", 2, 8, hold, this.duration).figures(held));
		}
		return figures;
	}

	/**
	 * Lets threads acquire one lock again and again.
	 * @param database where the table is
	 * @param library whose lock it is
	 * @param table the name of the table
	 * @param clients how many clients
	 * @param threads how many threads each client has
	 * @param hold how long a thread holds the lock
	 * @param duration how long; then, each thread gets the lock once more at most
	 * @return what the threads got
	 * @throws InterruptedException if this thread is interrupted
	 */
	static Contention contend(DatabaseProcess database, Library library, String table, int clients, int threads,
			Duration hold, Duration duration) throws InterruptedException {
		CallMeter meter = new CallMeter();
		Samples waitSeconds = new Samples();
		AtomicIntegerArray grants = new AtomicIntegerArray(clients * threads);
		List<LockingClient> opened = new ArrayList<>();
		try {
			for (int i = 0; i < clients; i++) {
				opened.add(library.open(database, table, LEASE, meter, new AddedLatency()));
			}
			meter.reset();
			long end = System.nanoTime() + duration.toNanos();
			Workers.run(clients * threads, (number) -> {
				LockingClient client = opened.get(number / threads);
				while (System.nanoTime() - end < 0) {
					long began = System.nanoTime();
					Optional<Runnable> lock = client.acquire("contended", WAIT);
					long granted = System.nanoTime();
					waitSeconds.add(Units.seconds(granted - began));
					if (lock.isPresent() && granted - end < 0) {
						grants.incrementAndGet(number);
						Thread.sleep(hold.toMillis());
					}
					lock.ifPresent(Runnable::run);
				}
			});
			return new Contention(meter.calls(), duration, waitSeconds, grants);
		}
		finally {
			opened.forEach(LockingClient::close);
		}
	}

	/**
	 * What threads that want one lock got.
	 */
	static final class Contention {

		private final long calls;

		private final Duration duration;

		private final Samples waitSeconds;

		private final Samples perThread = new Samples();

		private long acquisitions;

		Contention(long calls, Duration duration, Samples waitSeconds, AtomicIntegerArray grants) {
			this.calls = calls;
			this.duration = duration;
			this.waitSeconds = waitSeconds;
			for (int thread = 0; thread < grants.length(); thread++) {
				this.perThread.add(grants.get(thread));
				this.acquisitions += grants.get(thread);
			}
		}

		double perSecond() {
			return this.acquisitions / Units.seconds(this.duration.toNanos());
		}

		double callsEach() {
			return (double) this.calls / this.acquisitions;
		}

		/** Those count that end after the duration. */
		double longestWaitSeconds() {
			return this.waitSeconds.greatest();
		}

		/** Infinite if a thread never got the lock. */
		double mostOverLeast() {
			return this.perThread.greatest() / this.perThread.least();
		}

		List<Figure> figures(String held) {
			return List.of(
					new Figure("longest wait of 16 threads" + held,
							String.format(Locale.ROOT, "%.2f s, median %.2f s", longestWaitSeconds(),
									this.waitSeconds.median()),
							"at most 5 s", longestWaitSeconds() <= MOST_SECONDS),
					new Figure("acquisitions, busiest / idlest of 16 threads" + held,
							String.format(Locale.ROOT, "%.2f, from %.0f to %.0f", mostOverLeast(),
									this.perThread.least(), this.perThread.greatest()),
							"at most 2", mostOverLeast() <= MOST_RATIO));
		}

	}

}

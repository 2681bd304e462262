/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Runs many seeds, on all processors.
 *
 * @param firstSeed the first seed
 * @param seeds how many seeds to run at most
 * @param timeLimit when to stop before that
 */
record Simulator(long firstSeed, long seeds, Duration timeLimit) {

	/** More would tell nothing new. */
	private static final int MOST_VIOLATIONS = 20;

	/** The tests' logging leaves out what is logged under this mark. */
	private static final String QUIET = "quiet";

	static {
		// Before a first thread marks itself, since marks are kept by what logs.
		LoggerFactory.getILoggerFactory();
	}

	/**
	 * Runs the seeds.
	 * @return what came of them
	 * @throws InterruptedException if interrupted
	 */
	Report run() throws InterruptedException {
		Campaign campaign = new Campaign(this, System.nanoTime() + this.timeLimit.toNanos());
		int processors = Runtime.getRuntime().availableProcessors();
		ExecutorService executor = Executors.newFixedThreadPool(processors);
		try {
			executor.invokeAll(Collections.nCopies(processors, Executors.callable(() -> quietly(campaign::runAll))))
				.forEach(Simulator::rethrow);
		}
		finally {
			executor.shutdown();
			executor.awaitTermination(1, TimeUnit.MINUTES);
		}
		return campaign.report();
	}

	private static void rethrow(Future<?> done) {
		try {
			done.get();
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException("A simulated run failed by itself", ex);
		}
	}

	/** Without what simulated clients log about simulated faults. */
	static void quietly(Runnable action) {
		MDC.put(QUIET, "true");
		try {
			action.run();
		}
		finally {
			MDC.remove(QUIET);
		}
	}

	/**
	 * What came of all seeds.
	 *
	 * @param firstSeed the first seed, which all others follow
	 * @param seeds how many were run
	 * @param violated those that must not end as they did, by their seeds
	 * @param counts what happened how often in all of them
	 */
	record Report(long firstSeed, long seeds, List<Simulation.Outcome> violated, Map<String, Long> counts) {

		@Override
		public String toString() {
			return "simulated " + this.seeds + " seeds, " + this.violated.size() + " violations, first seed "
					+ this.firstSeed;
		}

	}

	/**
	 * The seeds under way.
	 */
	private static final class Campaign {

		private final long firstSeed;

		private final AtomicLong next;

		private final long end;

		private final long until;

		private final AtomicLong done = new AtomicLong();

		private final List<Simulation.Outcome> violated = Collections.synchronizedList(new ArrayList<>());

		private final Map<String, Long> counts = Collections.synchronizedMap(new TreeMap<>());

		Campaign(Simulator simulator, long until) {
			this.firstSeed = simulator.firstSeed;
			this.next = new AtomicLong(simulator.firstSeed);
			this.end = simulator.firstSeed + simulator.seeds;
			this.until = until;
		}

		void runAll() {
			while (System.nanoTime() < this.until && this.violated.size() < MOST_VIOLATIONS) {
				long seed = this.next.getAndIncrement();
				if (seed >= this.end) {
					return;
				}
				Simulation.Outcome outcome = Simulation.run(seed);
				outcome.counts().forEach((what, count) -> this.counts.merge(what, (long) count, Long::sum));
				if (!outcome.violations().isEmpty()) {
					this.violated.add(outcome);
				}
				this.done.incrementAndGet();
			}
		}

		Report report() {
			this.violated.sort(Comparator.comparingLong(Simulation.Outcome::seed));
			return new Report(this.firstSeed, this.done.get(), List.copyOf(this.violated), Map.copyOf(this.counts));
		}

	}

}

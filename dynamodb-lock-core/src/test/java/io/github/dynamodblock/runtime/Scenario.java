/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What one seed's run is like.
 *
 * @param kind which rules it breaks, if any
 * @param clients how many clients there are
 * @param keys how many locks, or semaphores
 * @param permits how many permits each of them has
 * @param callers how many threads of each client want locks
 * @param hurried whether they hold a lock, and do without one, for milliseconds
 * @param trouble the share of calls with which something goes wrong
 * @param disturbances the mean time between two disturbances other than those of calls,
 * or zero for none
 * @param clockRateTolerance how far clocks are allowed to run fast or slow
 * @param clockSkewBound by how much wall clocks differ at most, where clients rely on
 * that, or {@code null}
 * @param deletesOnRelease whether some releases delete the item
 * @param keepsItems whether some requests keep the item
 * @param stalls the share of events in a process with a thread that stalls
 * @param listenersCalledAtOnce the share of processes that call listeners, and complete
 * futures, on the thread that has something to tell
 * @param callSlots how many heartbeats, and how many other calls, a client has under way
 * at a time; the others wait for one that hangs
 * @param backgroundReads whether a refused acquisition completes its observation
 * @param acrossRegions whether the table is a global table with multi-region strong
 * consistency, with clients in each of its regions
 */
record Scenario(Kind kind, int clients, int keys, int permits, int callers, boolean hurried, double trouble,
		Duration disturbances, double clockRateTolerance, @Nullable Duration clockSkewBound, boolean deletesOnRelease,
		boolean keepsItems, double stalls, double listenersCalledAtOnce, int callSlots, boolean backgroundReads,
		boolean acrossRegions) {

	/** How long there are faults and new work. */
	static final Duration FAULTS = Duration.ofSeconds(8);

	/** How long the longest wait, lease and late delivery take afterwards. */
	static final Duration SETTLING = Duration.ofSeconds(16);

	/** How exactly clients know the right time of day, either way. */
	static final Duration CLOCK_UNCERTAINTY = Duration.ofMillis(50);

	/** The leases, in milliseconds. */
	static final List<Integer> LEASES = List.of(800, 1000, 1500, 2000, 3000);

	private static final double TOLERANCE = 0.01;

	static Scenario of(Chance chance, int permits, boolean hurried, boolean acrossRegions) {
		Kind kind = kind(chance.fraction());
		boolean calm = kind == Kind.CALM;
		Duration disturbances = Duration.ofMillis(calm ? 0 : chance.of(0, 300, 1000, 2500));
		boolean bounded = chance.in(0.25);
		// A pause between two readings of clocks does harm only where clocks are relied
		// on,
		// and seldom.
		double stalls = bounded ? chance.of(0.03, 0.1) : chance.of(0.0, 0.0, 0.0, 0.003, 0.03);
		return new Scenario(kind, chance.between(2, 5), chance.between(1, 2), permits,
				chance.between(1, 2) + (hurried ? 3 : 0), hurried, calm ? 0 : chance.of(0.0, 0.02, 0.1, 0.3),
				disturbances, TOLERANCE, bounded ? Duration.ofMillis(200) : null, chance.in(0.3), chance.in(0.5),
				calm ? 0 : stalls, chance.of(0.0, 0.0, 0.5, 1.0), chance.of(1, 2, 3, 25, 25), chance.in(0.7),
				acrossRegions);
	}

	private static Kind kind(double fraction) {
		if (fraction < 0.08) {
			return Kind.CALM;
		}
		if (fraction < 0.16) {
			return Kind.WILD_CLOCKS;
		}
		return (fraction < 0.26) ? Kind.ADMINISTRATORS : Kind.FAULTS;
	}

	/**
	 * The rate of a clock; the extremes are the likeliest, since they are the hardest.
	 */
	double clockRate(Chance chance) {
		double most = this.clockRateTolerance * ((this.kind == Kind.WILD_CLOCKS) ? 30 : 1);
		return 1 + most * chance.of(-1.0, -1.0, 0.0, 1.0, 1.0, 2 * chance.fraction() - 1);
	}

	/**
	 * The error of a wall clock. Where clients rely on it, it is within half the bound,
	 * or so far beyond it that the client knows.
	 */
	Duration wallClockError(Chance chance) {
		if (this.clockSkewBound == null) {
			return Duration.ofMillis(chance.between(-60_000, 60_000));
		}
		int half = (int) this.clockSkewBound.toMillis() / 2;
		if (chance.in(0.7)) {
			return chance.millis(-half, half);
		}
		Duration error = chance.millis(half + (int) CLOCK_UNCERTAINTY.toMillis() + 1, 5000);
		return chance.in(0.5) ? error : error.negated();
	}

	/**
	 * What is outside the assumptions, if anything.
	 */
	enum Kind {

		/** Nothing goes wrong. */
		CALM,

		/** Anything goes wrong that the protocol is to withstand. */
		FAULTS,

		/** Clocks run at rates beyond what is allowed for. */
		WILD_CLOCKS,

		/** People delete and free what is held. */
		ADMINISTRATORS

	}

}

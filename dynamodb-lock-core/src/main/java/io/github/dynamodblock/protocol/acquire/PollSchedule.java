/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.time.Duration;

import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import org.jspecify.annotations.Nullable;

/**
 * When to poll a lock that another client holds. The schedule belongs to the holding, as
 * this client has seen it: often while it is young, since most locks are held briefly,
 * and less and less often later. A heartbeat does not make it young again.
 */
final class PollSchedule {

	/** The time between two polls of a young holding. */
	static final long FIRST_INTERVAL = 45_000_000L;

	private static final long SHORTEST_LAST_INTERVAL = 50_000_000L;

	private static final long LONGEST_LAST_INTERVAL = 500_000_000L;

	private static final long YOUNG = 1_000_000_000L;

	private PollSchedule() {
	}

	/**
	 * When to poll next.
	 * @param observation what was seen
	 * @param fraction a random fraction
	 * @param fixed the interval that was asked for, or {@code null}
	 * @return the time, on {@link ClockReading#observerNanos()}, one interval after the
	 * last poll; not after the observed lease ends
	 */
	static long next(Observation observation, double fraction, @Nullable Duration fixed) {
		long interval = (fixed != null) ? fixed.toNanos() : interval(observation);
		long jittered = (long) (interval * (0.8 + 0.4 * fraction));
		return Math.min(Nanos.later(observation.lastSeen(), jittered), observation.leaseEnds());
	}

	/**
	 * How long others pause at most between two polls of a lock, whatever its lease.
	 * @param heldNanos for how long it is held
	 * @return nanoseconds
	 */
	static long longestPause(long heldNanos) {
		return (long) (Math.min(grown(heldNanos), LONGEST_LAST_INTERVAL) * 1.2);
	}

	private static long interval(Observation observation) {
		long age = observation.lastSeen() - observation.holderSince();
		return (age > YOUNG) ? Math.min(grown(age), lastInterval(observation)) : FIRST_INTERVAL;
	}

	private static long grown(long age) {
		// As a share of its age the interval stays what it was at the end of youth.
		return (long) (Math.max(age, YOUNG) * ((double) FIRST_INTERVAL / YOUNG));
	}

	private static long lastInterval(Observation observation) {
		long share = Nanos.of(observation.record().leaseDuration()) / 50;
		return Math.max(SHORTEST_LAST_INTERVAL, Math.min(LONGEST_LAST_INTERVAL, share));
	}

}

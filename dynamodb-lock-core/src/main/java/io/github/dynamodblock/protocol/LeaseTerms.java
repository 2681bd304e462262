/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How long a lock is held without a heartbeat, and how it is kept.
 *
 * @param leaseDuration what observers wait, in whole milliseconds; stored in the item
 * @param heartbeatPeriod the time between two heartbeats
 * @param clockRateTolerance by how much any clock may run fast or slow, as a fraction
 * @param timeToLive how long after the last write DynamoDB may delete the item, or
 * {@code null} for never
 */
public record LeaseTerms(Duration leaseDuration, Duration heartbeatPeriod, double clockRateTolerance,
		@Nullable Duration timeToLive) {

	/** The clock rate tolerance unless said otherwise: one per cent. */
	public static final double DEFAULT_CLOCK_RATE_TOLERANCE = 0.01;

	private static final long CALL_LIMIT_NANOS = 5_000_000_000L;

	private static final long SHORTEST_CALL_LIMIT_NANOS = 200_000_000L;

	// A writer's clock may be hours or a day behind; its rows must not die of it.
	private static final Duration SHORTEST_TIME_TO_LIVE = Duration.ofDays(1);

	/**
	 * How long a holder may rely on a write, from the moment before it was sent. Shorter
	 * than the lease, so that a slow clock here and a fast one at an observer do not
	 * meet.
	 * @return nanoseconds
	 */
	public long validityNanos() {
		double share = (1 - this.clockRateTolerance) / (1 + this.clockRateTolerance);
		return (long) Math.floor(this.leaseDuration.toNanos() * share);
	}

	/**
	 * How long an acquiring call or a read may take before it is given up as unanswered.
	 * @return nanoseconds
	 */
	public long callLimitNanos() {
		return Math.min(CALL_LIMIT_NANOS, validityNanos() / 2);
	}

	/**
	 * How long a call that keeps the lock may take, so that others can follow it in time.
	 * @param validityLeft nanoseconds until the lock is lost, positive
	 * @return nanoseconds
	 */
	static long callLimitNanos(long validityLeft) {
		long third = Math.max(SHORTEST_CALL_LIMIT_NANOS, validityLeft / 3);
		return Math.min(CALL_LIMIT_NANOS, Math.min(third, validityLeft));
	}

	/**
	 * When DynamoDB may delete an item that is written now.
	 * @param now the time of the write
	 * @return the time, or {@code null} for never
	 */
	@Nullable Instant expiresAt(Moment now) {
		if (this.timeToLive == null) {
			return null;
		}
		Duration floor = SHORTEST_TIME_TO_LIVE.plus(this.leaseDuration);
		return now.wallClock().plus((this.timeToLive.compareTo(floor) < 0) ? floor : this.timeToLive);
	}

	/**
	 * The same terms with another lease.
	 * @param leaseDuration the lease
	 * @return the terms
	 */
	LeaseTerms withLeaseDuration(Duration leaseDuration) {
		return new LeaseTerms(leaseDuration, this.heartbeatPeriod, this.clockRateTolerance, this.timeToLive);
	}

}

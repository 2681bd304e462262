/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

/**
 * How long a lock is held without a heartbeat, and how it is kept.
 *
 * @param leaseDuration what observers wait, in whole milliseconds; stored in the item
 * @param heartbeatPeriod the time between two heartbeats
 * @param dangerThreshold how long before the lease would be lost it is in danger, or
 * {@code null} for a third of its validity
 * @param clockRateTolerance by how much any clock may run fast or slow, as a fraction
 * @param timeToLive how long after the last write DynamoDB may delete the item, or
 * {@code null} for never
 * @param clockSkewBound by how much the wall clocks of clients differ at most, where that
 * is to be relied on, otherwise {@code null}
 */
public record LeaseTerms(Duration leaseDuration, Duration heartbeatPeriod, @Nullable Duration dangerThreshold,
		double clockRateTolerance, @Nullable Duration timeToLive, @Nullable Duration clockSkewBound) {

	/** The clock rate tolerance unless said otherwise: one per cent. */
	public static final double DEFAULT_CLOCK_RATE_TOLERANCE = 0.01;

	/** How long any call may take at most, in nanoseconds. */
	public static final long CALL_LIMIT_NANOS = 5_000_000_000L;

	private static final long SHORTEST_CALL_LIMIT_NANOS = 200_000_000L;

	private static final Duration LESS_THAN_A_MILLISECOND = Duration.ofNanos(999_999);

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
		// Half of what is left, each time: a call that is slow gets as long as one that
		// is
		// lost allows.
		long half = Math.max(SHORTEST_CALL_LIMIT_NANOS, validityLeft / 2);
		return Math.min(CALL_LIMIT_NANOS, Math.min(half, validityLeft));
	}

	/**
	 * How long before the lease would be lost it is in danger.
	 * @return nanoseconds
	 */
	public long dangerNanos() {
		return (this.dangerThreshold != null) ? this.dangerThreshold.toNanos() : validityNanos() / 3;
	}

	/**
	 * What a write that takes or keeps the lock says by the wall clock.
	 * @param now the time before the write is sent
	 * @return what it says
	 */
	Stamps stamps(Moment now) {
		if (this.clockSkewBound == null) {
			return new Stamps(expiresAt(now), null);
		}
		// In whole milliseconds, as the item stores it; a fraction counts for the holder.
		Instant ends = now.wallClock().plus(this.leaseDuration).plus(LESS_THAN_A_MILLISECOND);
		return new Stamps(expiresAt(now), ends.truncatedTo(ChronoUnit.MILLIS));
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
	 * The same terms with another lease, to which heartbeats and the danger threshold
	 * keep their proportions.
	 * @param leaseDuration the lease
	 * @return the terms
	 */
	public LeaseTerms withLeaseDuration(Duration leaseDuration) {
		if (leaseDuration.equals(this.leaseDuration)) {
			return this;
		}
		double share = (double) leaseDuration.toNanos() / this.leaseDuration.toNanos();
		return new LeaseTerms(leaseDuration, scaled(this.heartbeatPeriod, share),
				(this.dangerThreshold == null) ? null : scaled(this.dangerThreshold, share), this.clockRateTolerance,
				this.timeToLive, this.clockSkewBound);
	}

	private static Duration scaled(Duration duration, double share) {
		return Duration.ofNanos(Math.max(1, (long) (duration.toNanos() * share)));
	}

}

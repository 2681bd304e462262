/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * How long a lock is held without a heartbeat, and how it is kept.
 *
 * @param leaseDuration what observers wait, in whole milliseconds; stored in the item
 * @param heartbeatPeriod the time between two heartbeats
 * @param expiryWarning how long before the lease would be lost it counts as expiring, or
 * {@code null} for a third of its validity
 * @param clockRateTolerance by how much any clock may run fast or slow, as a fraction
 * @param timeToLive how long after the last write DynamoDB may delete the item, or
 * {@code null} for never
 * @param clockSkewBound by how much the wall clocks of clients differ at most, where that
 * is to be relied on, otherwise {@code null}
 * @param keepItem whether claims mark the item as kept
 */
public record LeaseTerms(Duration leaseDuration, Duration heartbeatPeriod, @Nullable Duration expiryWarning,
		double clockRateTolerance, @Nullable Duration timeToLive, @Nullable Duration clockSkewBound, boolean keepItem) {

	/** The clock rate tolerance by default: one per cent. */
	public static final double DEFAULT_CLOCK_RATE_TOLERANCE = 0.01;

	/** The shortest limit of a call, unless the lease is over before. */
	public static final long SHORTEST_CALL_LIMIT_NANOS = 200_000_000L;

	/** As short as a user may set it, also where the lease is made shorter. */
	private static final Duration SHORTEST_HEARTBEAT_PERIOD = Duration.ofMillis(10);

	private static final Duration LESS_THAN_A_MILLISECOND = Duration.ofNanos(999_999);

	// A writer's clock may be a day behind, and its live items must not be deleted.
	private static final Duration SHORTEST_TIME_TO_LIVE = Duration.ofDays(1);

	/** Terms under which claims do not mark the item. */
	public LeaseTerms(Duration leaseDuration, Duration heartbeatPeriod, @Nullable Duration expiryWarning,
			double clockRateTolerance, @Nullable Duration timeToLive, @Nullable Duration clockSkewBound) {
		this(leaseDuration, heartbeatPeriod, expiryWarning, clockRateTolerance, timeToLive, clockSkewBound, false);
	}

	/**
	 * Returns for how many nanoseconds a holder may rely on a write, from before it was
	 * sent: less than the lease, so that a slow clock here and a fast one at an observer
	 * do not overlap.
	 */
	public long validityNanos() {
		double share = (1 - this.clockRateTolerance) / (1 + this.clockRateTolerance);
		return (long) Math.floor(this.leaseDuration.toNanos() * share);
	}

	/**
	 * Returns until when a holder may rely on a write that was sent at a time, both on
	 * {@link ClockReading#holderNanos()}.
	 */
	public long validUntil(long sentAt) {
		return Nanos.later(sentAt, validityNanos());
	}

	/** Returns how long an acquiring call or a read may take. */
	public long callLimitNanos() {
		return Math.min(Step.Call.LONGEST_NANOS, validityNanos() / 2);
	}

	/**
	 * How long a call that keeps the lock may take: what is left but for a second try, so
	 * that calls which always take a third of the lease keep it.
	 */
	long callLimitNanos(long validityLeft) {
		long secondTry = Math.max(SHORTEST_CALL_LIMIT_NANOS, validityNanos() / 10);
		long most = Math.max(validityLeft / 2, validityLeft - secondTry);
		return Math.min(Step.Call.LONGEST_NANOS, Math.min(Math.max(SHORTEST_CALL_LIMIT_NANOS, most), validityLeft));
	}

	/** Returns how long before the lease would be lost it counts as expiring. */
	public long expiryWarningNanos() {
		return (this.expiryWarning != null) ? this.expiryWarning.toNanos() : validityNanos() / 3;
	}

	/**
	 * Returns the same while the lease that is confirmed has another length: the shorter
	 * time, since the one of a longer lease may be all of a shorter one.
	 * @param confirmed the length of that lease
	 */
	long expiryWarningNanos(Duration confirmed) {
		return Math.min(expiryWarningNanos(), withLeaseDuration(confirmed).expiryWarningNanos());
	}

	/**
	 * Returns whether this client's wall clock is known not to be within half the bound
	 * of true time, for which DynamoDB's counts. Until it is right, it decides nothing
	 * here, and no other client is to rely on what it shows.
	 */
	public boolean isClockOff(ClockReading now) {
		return this.clockSkewBound != null && now.isOffByMoreThan(this.clockSkewBound.dividedBy(2));
	}

	/** Returns what a write that is about to be sent stores by the wall clock. */
	public LockWrite.Timestamps timestamps(ClockReading now) {
		// The item stores whole milliseconds; a fraction counts for the holder.
		Instant renewedAt = now.wallClock().truncatedTo(ChronoUnit.MILLIS);
		if (this.clockSkewBound == null || isClockOff(now)) {
			return new LockWrite.Timestamps(renewedAt, expiresAt(now), null);
		}
		Instant ends = now.wallClock().plus(this.leaseDuration).plus(LESS_THAN_A_MILLISECOND);
		return new LockWrite.Timestamps(renewedAt, expiresAt(now), ends.truncatedTo(ChronoUnit.MILLIS));
	}

	/**
	 * Returns how long until another client's lease ends by the wall clocks;
	 * {@link Long#MAX_VALUE} if clocks are not to be relied on, so that the lock is
	 * observed.
	 */
	public long nanosByClocks(LockRecord record, ClockReading now) {
		if (this.clockSkewBound == null || isClockOff(now) || record.leaseEnds().isEmpty()) {
			return Long.MAX_VALUE;
		}
		return Nanos.between(now.wallClock(), record.leaseEnds().get().plus(this.clockSkewBound));
	}

	/**
	 * Returns when DynamoDB may delete an item that is written now, or {@code null} for
	 * never.
	 */
	public @Nullable Instant expiresAt(ClockReading now) {
		if (this.keepItem || this.timeToLive == null) {
			return null;
		}
		Duration floor = SHORTEST_TIME_TO_LIVE.plus(this.leaseDuration);
		return now.wallClock().plus((this.timeToLive.compareTo(floor) < 0) ? floor : this.timeToLive);
	}

	/**
	 * Returns the same terms with another lease, to which heartbeats and the expiry
	 * warning keep their proportions.
	 */
	public LeaseTerms withLeaseDuration(Duration leaseDuration) {
		if (leaseDuration.equals(this.leaseDuration)) {
			return this;
		}
		double share = (double) leaseDuration.toNanos() / this.leaseDuration.toNanos();
		Duration heartbeat = scaled(this.heartbeatPeriod, share);
		return new LeaseTerms(leaseDuration,
				(heartbeat.compareTo(SHORTEST_HEARTBEAT_PERIOD) < 0) ? SHORTEST_HEARTBEAT_PERIOD : heartbeat,
				(this.expiryWarning == null) ? null : scaled(this.expiryWarning, share), this.clockRateTolerance,
				this.timeToLive, this.clockSkewBound, this.keepItem);
	}

	private static Duration scaled(Duration duration, double share) {
		return Duration.ofNanos(Math.max(1, (long) (duration.toNanos() * share)));
	}

}

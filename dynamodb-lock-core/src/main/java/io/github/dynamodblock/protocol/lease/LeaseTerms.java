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
 * The lease of a lock, and how it is renewed.
 *
 * @param leaseDuration how long observers wait, in whole milliseconds; stored in the item
 * @param expiryWarning how long before its end the lease counts as expiring, or
 * {@code null} for a third of its validity
 * @param clockRateTolerance by how much any clock may run fast or slow, as a fraction
 * @param timeToLive how long after the last write DynamoDB may delete the item, or
 * {@code null} for never
 * @param clockSkewBound the largest difference between clients' wall clocks, or
 * {@code null} if they are not relied on
 * @param keepItem whether claims mark the item as kept
 */
public record LeaseTerms(Duration leaseDuration, Duration heartbeatPeriod, @Nullable Duration expiryWarning,
		double clockRateTolerance, @Nullable Duration timeToLive, @Nullable Duration clockSkewBound, boolean keepItem) {

	public static final double DEFAULT_CLOCK_RATE_TOLERANCE = 0.01;

	/** The shortest time limit of a call, unless the lease ends earlier. */
	public static final long SHORTEST_CALL_LIMIT_NANOS = 200_000_000L;

	/**
	 * The shortest period that a user may set. The limit also applies if a shorter lease
	 * scales the period.
	 */
	private static final Duration SHORTEST_HEARTBEAT_PERIOD = Duration.ofMillis(10);

	private static final Duration LESS_THAN_A_MILLISECOND = Duration.ofNanos(999_999);

	// A writer's clock may be a day behind; DynamoDB must not delete its live items.
	private static final Duration SHORTEST_TIME_TO_LIVE = Duration.ofDays(1);

	/** Creates terms under which claims do not mark the item. */
	public LeaseTerms(Duration leaseDuration, Duration heartbeatPeriod, @Nullable Duration expiryWarning,
			double clockRateTolerance, @Nullable Duration timeToLive, @Nullable Duration clockSkewBound) {
		this(leaseDuration, heartbeatPeriod, expiryWarning, clockRateTolerance, timeToLive, clockSkewBound, false);
	}

	/**
	 * Returns for how many nanoseconds a holder may rely on a write, counted from before
	 * it was sent. It is less than the lease, because this clock may be slow and an
	 * observer's clock fast.
	 */
	public long validityNanos() {
		double share = (1 - this.clockRateTolerance) / (1 + this.clockRateTolerance);
		return (long) Math.floor(this.leaseDuration.toNanos() * share);
	}

	/**
	 * Returns until when a holder may rely on a write that was sent at this time, both on
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
	 * How long a call that renews the lock may take: the remaining validity, minus the
	 * time for a second attempt. Even if every call takes a third of the lease, the lock
	 * is therefore kept.
	 */
	long callLimitNanos(long validityLeft) {
		long secondTry = Math.max(SHORTEST_CALL_LIMIT_NANOS, validityNanos() / 10);
		long most = Math.max(validityLeft / 2, validityLeft - secondTry);
		return Math.min(Step.Call.LONGEST_NANOS, Math.min(Math.max(SHORTEST_CALL_LIMIT_NANOS, most), validityLeft));
	}

	/** Returns how long before its end the lease counts as expiring. */
	public long expiryWarningNanos() {
		return (this.expiryWarning != null) ? this.expiryWarning.toNanos() : validityNanos() / 3;
	}

	/**
	 * The same while the confirmed lease has another length. Of the warnings for both
	 * lengths, it is the shorter one, because the warning for a long lease may exceed a
	 * short lease.
	 */
	long expiryWarningNanos(Duration confirmed) {
		return Math.min(expiryWarningNanos(), withLeaseDuration(confirmed).expiryWarningNanos());
	}

	/**
	 * Returns whether this client's wall clock is known to differ from DynamoDB's time,
	 * the true time, by more than half the bound. Until that is corrected, this client
	 * ignores its wall clock, and stores no time on which others rely.
	 */
	public boolean isClockOff(ClockReading now) {
		return this.clockSkewBound != null && now.isOffByMoreThan(this.clockSkewBound.dividedBy(2));
	}

	public LockWrite.Timestamps timestamps(ClockReading now) {
		// The item stores whole milliseconds; the end is rounded up in favor of the
		// holder.
		Instant renewedAt = now.wallClock().truncatedTo(ChronoUnit.MILLIS);
		if (this.clockSkewBound == null || isClockOff(now)) {
			return new LockWrite.Timestamps(renewedAt, expiresAt(now), null);
		}
		Instant ends = now.wallClock().plus(this.leaseDuration).plus(LESS_THAN_A_MILLISECOND);
		return new LockWrite.Timestamps(renewedAt, expiresAt(now), ends.truncatedTo(ChronoUnit.MILLIS));
	}

	/**
	 * Returns how long until another client's lease ends by the wall clocks, or
	 * {@link Long#MAX_VALUE} if clocks are not relied on and the lock must be observed.
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
	 * Returns the same terms with another lease. Heartbeat period and expiry warning are
	 * scaled with it.
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

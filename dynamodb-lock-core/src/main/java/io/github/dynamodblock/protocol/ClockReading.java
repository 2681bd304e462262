/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

import io.github.dynamodblock.ServiceTime;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of this process at one time. The protocol reads no clock itself.
 *
 * @param observerNanos the monotonic clock, for other owners' leases and callers'
 * deadlines
 * @param holderNanos for the leases that this process holds: the monotonic clock plus, if
 * known, the time for which the machine was suspended
 * @param wallClock the time of day, for timestamps and for the first fencing token of an
 * item. Without a clock bound, it decides nothing.
 * @param serviceTime DynamoDB's time of day, with which the wall clock is compared, or
 * {@code null} if it is unknown or not needed
 */
public record ClockReading(long observerNanos, long holderNanos, Instant wallClock, @Nullable ServiceTime serviceTime) {

	/** A reading without DynamoDB's time. */
	public ClockReading(long observerNanos, long holderNanos, Instant wallClock) {
		this(observerNanos, holderNanos, wallClock, null);
	}

	/**
	 * Reads the clocks.
	 * @param suspended returns for how long the machine was suspended before a time of
	 * the monotonic clock
	 */
	public static ClockReading of(LongSupplier monotonic, LongUnaryOperator suspended, Supplier<Instant> wallClock) {
		long observer = monotonic.getAsLong();
		long holder = observer + suspended.applyAsLong(observer);
		// The wall clock comes last. If it came first and the thread then paused, the
		// stored end of a lease would be before the holder's own deadline, and clients
		// that rely on wall clocks would take over too early.
		return new ClockReading(observer, holder, wallClock.get());
	}

	/**
	 * Returns the same reading with DynamoDB's time, which is read later. If the thread
	 * pauses in between, the old wall clock reading is compared with the time after the
	 * pause. That is intended, because the reading is used after the pause, too.
	 */
	public ClockReading comparedWith(Optional<ServiceTime> serviceTime) {
		return new ClockReading(this.observerNanos, this.holderNanos, this.wallClock, serviceTime.orElse(null));
	}

	/**
	 * Returns whether the wall clock is known to differ from DynamoDB's by more than
	 * this.
	 */
	public boolean isOffByMoreThan(Duration tolerance) {
		return this.serviceTime != null && !this.serviceTime.allows(this.wallClock, tolerance);
	}

	/** Returns the time of day in microseconds since 1970. */
	public long wallClockMicros() {
		return Math.addExact(Math.multiplyExact(this.wallClock.getEpochSecond(), 1_000_000L),
				this.wallClock.getNano() / 1000);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.time.Instant;

/**
 * What the clocks of this process said at one moment. The protocol reads no clock itself.
 *
 * @param observerNanos the monotonic clock, from an arbitrary origin: times the leases of
 * others and the caller's deadline
 * @param holderNanos the monotonic clock and, where it can be known, the time the machine
 * slept: times the leases this process holds
 * @param wallClock the time of day: seeds fencing tokens and dates items, decides nothing
 */
public record ClockReading(long observerNanos, long holderNanos, Instant wallClock) {

	/**
	 * The time of day in microseconds, from which a new lock's fencing tokens start.
	 * @return microseconds since 1970
	 */
	public long wallClockMicros() {
		return Math.addExact(Math.multiplyExact(this.wallClock.getEpochSecond(), 1_000_000L),
				this.wallClock.getNano() / 1000);
	}

}

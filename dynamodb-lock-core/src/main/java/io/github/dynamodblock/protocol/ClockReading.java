/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.time.Instant;

/**
 * The clocks of this process at one time. The protocol reads no clock itself.
 *
 * @param observerNanos the monotonic clock: times other owners' leases and the caller's
 * deadline
 * @param holderNanos the monotonic clock plus, where it can be known, the time that the
 * machine was suspended: times the leases that this process holds
 * @param wallClock the time of day: seeds fencing tokens and dates items, decides nothing
 */
public record ClockReading(long observerNanos, long holderNanos, Instant wallClock) {

	/** Returns the time of day in microseconds since 1970. */
	public long wallClockMicros() {
		return Math.addExact(Math.multiplyExact(this.wallClock.getEpochSecond(), 1_000_000L),
				this.wallClock.getNano() / 1000);
	}

}

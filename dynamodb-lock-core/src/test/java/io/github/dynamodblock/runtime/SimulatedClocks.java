/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;

import io.github.dynamodblock.protocol.ClockReading;

/**
 * The clocks of one simulated machine, which run at a rate of their own.
 */
final class SimulatedClocks {

	private final VirtualTime time;

	private final double rate;

	private final long startedAt;

	private final long origin;

	private Duration wallClockError;

	private long slept;

	SimulatedClocks(VirtualTime time, double rate, Duration wallClockError, long origin) {
		this.time = time;
		this.rate = rate;
		this.startedAt = time.nanos();
		this.wallClockError = wallClockError;
		this.origin = origin;
	}

	/**
	 * Reads the clocks.
	 * @param before runs before each of the readings
	 */
	ClockReading now(Runnable before) {
		return ClockReading.of(() -> {
			before.run();
			return observerNanos();
		}, (observer) -> {
			before.run();
			return this.slept;
		}, () -> {
			before.run();
			return this.time.wallClock().plus(this.wallClockError);
		});
	}

	long holderNanos() {
		return this.origin + (long) ((this.time.nanos() - this.startedAt) * this.rate);
	}

	long observerNanos() {
		return holderNanos() - this.slept;
	}

	/** How long the machine slept in all. */
	long slept() {
		return this.slept;
	}

	/** The machine slept for this long until now; the monotonic clock stood still. */
	void slept(long trueNanos) {
		this.slept += (long) (trueNanos * this.rate);
	}

	void stepWallClock(Duration step) {
		this.wallClockError = this.wallClockError.plus(step);
	}

	/** Whether the clock becomes wrong or right: by so much it is ahead. */
	void setWallClock(Duration error) {
		this.wallClockError = error;
	}

	/** In how much true time this machine's clocks have advanced by so much. */
	long trueNanos(long local) {
		return (local >= Long.MAX_VALUE / 2) ? local : (long) Math.ceil(local / this.rate);
	}

}

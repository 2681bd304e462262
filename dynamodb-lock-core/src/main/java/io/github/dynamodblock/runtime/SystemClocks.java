/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

import io.github.dynamodblock.protocol.ClockReading;

/**
 * The clocks of this machine. On Linux the monotonic clock stands still while the machine
 * sleeps, which others do not know of; so a holder adds the time that the machine slept,
 * as the kernel's uptime tells it. Thread-safe.
 */
final class SystemClocks {

	// The uptime has two decimals; what differs less is no sleep.
	private static final long RESOLUTION = 30_000_000L;

	private final Uptime uptime = new Uptime();

	private final InstantSource wallClock = InstantSource.system();

	private final long origin = System.nanoTime();

	private final long sleptBefore = slept(0);

	/** The longest sleep that was seen: a failing read must not turn time back. */
	private final AtomicLong longestSleep = new AtomicLong();

	ClockReading now() {
		long slept = this.longestSleep.accumulateAndGet(slept(this.sleptBefore) - this.sleptBefore, Math::max);
		long monotonic = System.nanoTime() - this.origin;
		return new ClockReading(monotonic, (slept > RESOLUTION) ? monotonic + slept : monotonic,
				this.wallClock.instant());
	}

	/**
	 * By how much the uptime is ahead of the monotonic clock, or the other if unknown.
	 */
	private long slept(long otherwise) {
		try {
			return this.uptime.nanos() - System.nanoTime();
		}
		catch (IOException | RuntimeException ex) {
			// Not Linux, or hidden: then the monotonic clock is all there is.
			return otherwise;
		}
	}

}

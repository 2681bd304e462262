/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.github.dynamodblock.protocol.ClockReading;

/**
 * The clocks of this machine. On Linux the monotonic clock stops while the machine is
 * suspended, but other clients' clocks go on. The holder's clock therefore includes the
 * time that the machine was suspended, from the kernel's uptime. Thread-safe.
 * <p>
 * Reading the uptime costs more CPU than the rest of a lock. It is read again only after
 * the wall clock has moved against the monotonic clock, as it does when the machine
 * resumes, and at least once a second.
 */
final class SystemClocks {

	// The uptime has two decimals; a smaller difference is no suspension.
	private static final long RESOLUTION = 30_000_000L;

	/** Well below the resolution; a correction of the wall clock is usually smaller. */
	private static final long JUMP = 10_000_000L;

	/** In case a correction of the wall clock hides the suspension. */
	private static final long LONGEST_USE = 1_000_000_000L;

	private final UptimeSource uptime;

	private final InstantSource wallClock;

	private final LongSupplier monotonicClock;

	private final long origin;

	private final long suspendedBefore;

	/** The longest suspension seen: a failed read must not turn time back. */
	private final AtomicLong longestSuspension = new AtomicLong();

	/** The clocks when the uptime was read last. */
	private volatile Sample sample;

	SystemClocks() {
		this(SystemClocks::uptime, InstantSource.system(), System::nanoTime);
	}

	SystemClocks(UptimeSource uptime, InstantSource wallClock, LongSupplier monotonicClock) {
		this.uptime = uptime;
		this.wallClock = wallClock;
		this.monotonicClock = monotonicClock;
		this.origin = monotonicClock.getAsLong();
		Instant wall = wallClock.instant();
		this.sample = new Sample(this.origin, ahead(wall, this.origin));
		this.suspendedBefore = suspended(0);
	}

	ClockReading now() {
		Instant wall = this.wallClock.instant();
		long monotonic = this.monotonicClock.getAsLong();
		long ahead = ahead(wall, monotonic);
		if (!this.sample.stillApplies(monotonic, ahead)) {
			// First the clocks, then the uptime: a suspension in between shows as a jump
			// next time.
			long suspended = suspended(this.suspendedBefore) - this.suspendedBefore;
			this.longestSuspension.accumulateAndGet(suspended, Math::max);
			this.sample = new Sample(monotonic, ahead);
		}
		long suspended = this.longestSuspension.get();
		long observer = monotonic - this.origin;
		return new ClockReading(observer, (suspended > RESOLUTION) ? observer + suspended : observer, wall);
	}

	/** By how much the wall clock is ahead of the monotonic clock, which may overflow. */
	private static long ahead(Instant wall, long monotonic) {
		return wall.getEpochSecond() * 1_000_000_000L + wall.getNano() - monotonic;
	}

	/**
	 * By how much the uptime is ahead of the monotonic clock, or the other if unknown.
	 */
	private long suspended(long otherwise) {
		try {
			return this.uptime.nanos() - this.monotonicClock.getAsLong();
		}
		catch (IOException | RuntimeException ex) {
			// Not Linux, or hidden: only the monotonic clock is left.
			return otherwise;
		}
	}

	/**
	 * The time since this machine was started, suspensions included, as Linux reports it:
	 * to hundredths of a second. A channel would end with an interrupt of this thread.
	 */
	static long uptime() throws IOException {
		try (InputStream file = new FileInputStream("/proc/uptime")) {
			String text = new String(file.readAllBytes(), StandardCharsets.US_ASCII);
			return (long) (Double.parseDouble(text.substring(0, text.indexOf(' '))) * 1_000_000_000L);
		}
	}

	/**
	 * Reads the uptime.
	 */
	@FunctionalInterface
	interface UptimeSource {

		long nanos() throws IOException;

	}

	/**
	 * The clocks just before the uptime was read.
	 *
	 * @param monotonic the monotonic clock
	 * @param ahead by how much the wall clock was ahead of it
	 */
	private record Sample(long monotonic, long ahead) {

		boolean stillApplies(long monotonic, long ahead) {
			long moved = ahead - this.ahead;
			return moved < JUMP && moved > -JUMP && monotonic - this.monotonic < LONGEST_USE;
		}

	}

}

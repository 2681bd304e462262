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
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

import io.github.dynamodblock.protocol.ClockReading;

/**
 * The clocks of this machine. On Linux, the monotonic clock stops while the machine is
 * suspended, but other clients' clocks continue. The holder's clock therefore includes
 * the time of suspension, which the kernel's uptime shows. Thread-safe.
 * <p>
 * Reading the uptime costs more CPU time than the rest of a lock. It is read again only
 * after the wall clock has moved relative to the monotonic clock, as it does when the
 * machine resumes, and at least once a second.
 */
final class SystemClocks {

	// The uptime has two decimals, so a smaller difference is no suspension.
	private static final long RESOLUTION = 30_000_000L;

	/** Well below the resolution. A correction of the wall clock is usually smaller. */
	private static final long JUMP = 10_000_000L;

	/** A thread that pauses at each attempt reads the uptime again later. */
	private static final int MOST_TRIES = 3;

	/** A correction of the wall clock could hide a suspension for longer. */
	private static final long LONGEST_USE = 1_000_000_000L;

	private final UptimeSource uptime;

	private final InstantSource wallClock;

	private final Supplier<Instant> timeOfDay;

	private final LongSupplier monotonicClock;

	private final long origin;

	private final LongSupplier sinceOrigin;

	private final LongUnaryOperator suspendedUntil = this::suspendedUntil;

	private final long suspendedBefore;

	/** The longest suspension seen, because a failed read must not turn time back. */
	private final AtomicLong longestSuspension = new AtomicLong();

	/** The clocks at the last reading of the uptime. */
	private volatile Sample sample;

	SystemClocks() {
		this(SystemClocks::uptime, InstantSource.system(), System::nanoTime);
	}

	SystemClocks(UptimeSource uptime, InstantSource wallClock, LongSupplier monotonicClock) {
		this.uptime = uptime;
		this.wallClock = wallClock;
		this.timeOfDay = wallClock::instant;
		this.monotonicClock = monotonicClock;
		this.origin = monotonicClock.getAsLong();
		this.sinceOrigin = () -> monotonicClock.getAsLong() - this.origin;
		this.sample = new Sample(this.origin, ahead(this.origin));
		this.suspendedBefore = suspended(0);
	}

	ClockReading now() {
		return ClockReading.of(this.sinceOrigin, this.suspendedUntil, this.timeOfDay);
	}

	/** Returns for how long the machine was suspended before a time since the origin. */
	private long suspendedUntil(long sinceOrigin) {
		long monotonic = this.origin + sinceOrigin;
		long ahead = ahead(monotonic);
		if (!this.sample.stillApplies(monotonic, ahead)) {
			// First the clocks, then the uptime. A suspension in between shows as a jump
			// at the next reading.
			long suspended = suspended(this.suspendedBefore) - this.suspendedBefore;
			this.longestSuspension.accumulateAndGet(suspended, Math::max);
			this.sample = new Sample(monotonic, ahead);
		}
		long suspended = this.longestSuspension.get();
		return (suspended > RESOLUTION) ? suspended : 0;
	}

	/**
	 * Returns by how much the wall clock is ahead of the monotonic clock. May overflow.
	 */
	private long ahead(long monotonic) {
		return this.wallClock.millis() * 1_000_000L - monotonic;
	}

	/**
	 * Returns by how much the uptime is ahead of the monotonic clock, or the given value
	 * if the uptime is unknown.
	 */
	private long suspended(long otherwise) {
		try {
			long before;
			long uptime;
			long after;
			int tries = 0;
			do {
				before = this.monotonicClock.getAsLong();
				uptime = this.uptime.nanos();
				after = this.monotonicClock.getAsLong();
			}
			// A pause in between would make a suspension look shorter.
			while (after - before > JUMP && ++tries < MOST_TRIES);
			return uptime - after;
		}
		catch (IOException | RuntimeException ex) {
			// Not Linux, or the file is hidden. Only the monotonic clock is left.
			return otherwise;
		}
	}

	/**
	 * Returns the time since this machine was started, including suspensions, with two
	 * decimals, as Linux reports it. Uses a stream, because an interrupt of this thread
	 * would close a channel.
	 */
	static long uptime() throws IOException {
		try (InputStream file = new FileInputStream("/proc/uptime")) {
			String text = new String(file.readAllBytes(), StandardCharsets.US_ASCII);
			return (long) (Double.parseDouble(text.substring(0, text.indexOf(' '))) * 1_000_000_000L);
		}
	}

	@FunctionalInterface
	interface UptimeSource {

		long nanos() throws IOException;

	}

	/**
	 * The clocks just before the uptime was read.
	 *
	 * @param ahead by how much the wall clock was ahead of it
	 */
	private record Sample(long monotonic, long ahead) {

		boolean stillApplies(long monotonic, long ahead) {
			long moved = ahead - this.ahead;
			return moved < JUMP && moved > -JUMP && monotonic - this.monotonic < LONGEST_USE;
		}

	}

}

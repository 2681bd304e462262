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

	/** A thread that pauses at each reading of the uptime reads it again later. */
	private static final int MOST_TRIES = 3;

	/** In case a correction of the wall clock hides the suspension. */
	private static final long LONGEST_USE = 1_000_000_000L;

	private final UptimeSource uptime;

	private final InstantSource wallClock;

	private final Supplier<Instant> timeOfDay;

	private final LongSupplier monotonicClock;

	private final long origin;

	private final LongSupplier sinceOrigin;

	private final LongUnaryOperator suspendedUntil = this::suspendedUntil;

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

	/** For how long the machine was suspended until a time since the origin. */
	private long suspendedUntil(long sinceOrigin) {
		long monotonic = this.origin + sinceOrigin;
		long ahead = ahead(monotonic);
		if (!this.sample.stillApplies(monotonic, ahead)) {
			// First the clocks, then the uptime: a suspension in between shows as a jump
			// next time.
			long suspended = suspended(this.suspendedBefore) - this.suspendedBefore;
			this.longestSuspension.accumulateAndGet(suspended, Math::max);
			this.sample = new Sample(monotonic, ahead);
		}
		long suspended = this.longestSuspension.get();
		return (suspended > RESOLUTION) ? suspended : 0;
	}

	/** By how much the wall clock is ahead of the monotonic clock, which may overflow. */
	private long ahead(long monotonic) {
		return this.wallClock.millis() * 1_000_000L - monotonic;
	}

	/**
	 * By how much the uptime is ahead of the monotonic clock, or the other if unknown.
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
			// Again after a pause in between, which makes a suspension look shorter.
			while (after - before > JUMP && ++tries < MOST_TRIES);
			return uptime - after;
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

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

import org.jspecify.annotations.Nullable;

/**
 * The clock by which the service counts leases. Right unless it is set. Thread-safe.
 */
public final class SettableClock extends Clock {

	private volatile Duration offset = Duration.ZERO;

	private volatile @Nullable Instant stopped;

	private volatile boolean broken;

	/**
	 * Stops the clock.
	 * @param instant what it shows from now on
	 */
	public void stopAt(Instant instant) {
		this.stopped = instant;
	}

	/**
	 * Lets the clock go on, ahead or behind.
	 * @param ahead how far ahead; behind if negative
	 */
	public void goOn(Duration ahead) {
		this.offset = ahead;
		this.stopped = null;
		this.broken = false;
	}

	/** Breaks the clock, until it goes on. */
	public void breakDown() {
		this.broken = true;
	}

	@Override
	public Instant instant() {
		if (this.broken) {
			throw new IllegalStateException("The clock is broken");
		}
		Instant still = this.stopped;
		return (still != null) ? still : Instant.now().plus(this.offset);
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		throw new UnsupportedOperationException("Not needed");
	}

}

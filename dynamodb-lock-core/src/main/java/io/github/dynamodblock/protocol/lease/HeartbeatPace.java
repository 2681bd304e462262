/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.protocol.ClockReading;

/**
 * Keeps the heartbeats of a client to a fixed rate, so that their cost is known
 * beforehand. It gives way before a lock would be lost of it. Thread-safe.
 */
public final class HeartbeatPace {

	/** The time between two heartbeats, or zero if each comes in its own time. */
	private final long interval;

	private long nextAt = Long.MIN_VALUE;

	/**
	 * A pace.
	 * @param perSecond how many heartbeats are sent a second at most, or zero for as many
	 * as there are
	 */
	public HeartbeatPace(double perSecond) {
		this.interval = (perSecond > 0) ? (long) (1_000_000_000L / perSecond) : 0;
	}

	/**
	 * Asks for a place in the row.
	 * @param now the time
	 * @param longest how long the heartbeat can wait without a risk to its lock, in
	 * nanoseconds
	 * @return how long it has to wait, in nanoseconds; zero if it is to be sent now
	 */
	public synchronized long delay(ClockReading now, long longest) {
		if (this.interval == 0) {
			return 0;
		}
		long turn = Math.max(this.nextAt, now.observerNanos());
		long delay = turn - now.observerNanos();
		if (delay > longest) {
			return 0;
		}
		this.nextAt = turn + this.interval;
		return delay;
	}

}

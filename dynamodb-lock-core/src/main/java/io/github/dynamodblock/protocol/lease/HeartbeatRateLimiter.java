/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.protocol.ClockReading;

/**
 * Limits the heartbeats of a client to a fixed rate, so that their cost is known
 * beforehand. It gives way before a lock would be lost. Shared by the locks of a client;
 * thread-safe.
 */
public final class HeartbeatRateLimiter {

	/** The time between two heartbeats, or zero without a limit. */
	private final long interval;

	private long nextAt = Long.MIN_VALUE;

	/** Lets so many heartbeats a second pass, or all of them if that is zero. */
	public HeartbeatRateLimiter(double perSecond) {
		this.interval = (perSecond > 0) ? (long) (1_000_000_000L / perSecond) : 0;
	}

	/**
	 * Reserves a place for a heartbeat.
	 * @param longest how long it can wait without a risk to its lock, in nanoseconds
	 * @return how long it has to wait, in nanoseconds; zero if it is to be sent now
	 */
	public synchronized long delay(ClockReading now, long longest) {
		if (this.interval == 0) {
			return 0;
		}
		long time = now.observerNanos();
		long place = Math.max(this.nextAt, time);
		if (place - time > longest) {
			return 0;
		}
		this.nextAt = place + this.interval;
		return place - time;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.concurrent.atomic.AtomicLong;

import io.github.dynamodblock.protocol.ClockReading;

/**
 * Limits the heartbeats of a client to a fixed rate, so that their cost is known
 * beforehand. It gives way before a lock would be lost. Thread-safe.
 */
final class HeartbeatPace {

	/** The time between two heartbeats, or zero without a limit. */
	private final long interval;

	private final AtomicLong nextAt = new AtomicLong(Long.MIN_VALUE);

	/**
	 * A pace.
	 * @param perSecond how many heartbeats are sent a second at most, or zero for no
	 * limit
	 */
	HeartbeatPace(double perSecond) {
		this.interval = (perSecond > 0) ? (long) (1_000_000_000L / perSecond) : 0;
	}

	/**
	 * Reserves a place for a heartbeat.
	 * @param now the time
	 * @param longest how long it can wait without a risk to its lock, in nanoseconds
	 * @return how long it has to wait, in nanoseconds; zero if it is to be sent now
	 */
	long delay(ClockReading now, long longest) {
		if (this.interval == 0) {
			return 0;
		}
		long time = now.observerNanos();
		long before = this.nextAt.getAndUpdate((next) -> {
			long turn = Math.max(next, time);
			return (turn - time > longest) ? next : turn + this.interval;
		});
		long delay = Math.max(before, time) - time;
		return (delay > longest) ? 0 : delay;
	}

}

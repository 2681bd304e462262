/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

import java.time.Duration;
import java.time.Instant;

/**
 * How long a lock is held, in whole seconds, including the second of its expiry.
 *
 * @param seconds the total duration since the latest acquisition, including renewals
 * @param expiry the last second in which the lock is held, since the epoch
 */
public record Lease(long seconds, long expiry) {

	/**
	 * Returns a lease that begins now.
	 * @param now the time
	 * @param seconds the requested duration
	 * @param longest the maximum time from now until a lease ends
	 * @return the lease, at most the longest
	 */
	static Lease starting(Instant now, long seconds, Duration longest) {
		long granted = Math.min(seconds, longest.toSeconds());
		return new Lease(granted, now.getEpochSecond() + granted);
	}

	/**
	 * Returns the lease after its holder acquires the lock again. It never ends earlier
	 * than this one. Its seconds count from now, like those of a new lease.
	 * @param seconds the requested duration
	 * @param now the time
	 * @param longest the maximum time from now to which a lease is extended
	 * @return the lease, with the later of the two ends
	 */
	Lease acquiredAgain(long seconds, Instant now, Duration longest) {
		long end = Math.max(this.expiry, starting(now, seconds, longest).expiry());
		return new Lease(end - now.getEpochSecond(), end);
	}

	/**
	 * Returns this lease, extended by a duration.
	 * @param seconds the requested duration
	 * @param now the time
	 * @param longest the maximum time from now until a lease ends
	 * @return the lease, at most the longest, but never shorter than this one
	 */
	Lease prolonged(long seconds, Instant now, Duration longest) {
		long latest = Math.max(this.expiry, now.getEpochSecond() + longest.toSeconds());
		long granted = Math.min(seconds, latest - this.expiry);
		return new Lease(this.seconds + granted, this.expiry + granted);
	}

	/**
	 * Returns whether the lease has ended.
	 * @param now the time
	 * @return whether the second of the expiry has passed
	 */
	boolean isOver(Instant now) {
		return now.getEpochSecond() > this.expiry;
	}

	/**
	 * Returns the remaining time of the lease.
	 * @param now the time
	 * @return the time until the second of the expiry has passed, in whole milliseconds
	 */
	Duration remaining(Instant now) {
		return Duration.ofMillis(Math.multiplyExact(this.expiry + 1, 1000) - now.toEpochMilli());
	}

}

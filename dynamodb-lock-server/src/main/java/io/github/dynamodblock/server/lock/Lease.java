/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

import java.time.Duration;
import java.time.Instant;

/**
 * How long a lock is held, in whole seconds: through the second of its expiry.
 *
 * @param seconds how long, from the latest acquisition on: renewals are added
 * @param expiry the last second in which the lock is held, since the epoch
 */
public record Lease(long seconds, long expiry) {

	/**
	 * A lease that begins now.
	 * @param now the time
	 * @param seconds the duration that is asked for
	 * @param longest how far from now a lease may end
	 * @return the lease, cut to the longest
	 */
	static Lease starting(Instant now, long seconds, Duration longest) {
		long granted = Math.min(seconds, longest.toSeconds());
		return new Lease(granted, now.getEpochSecond() + granted);
	}

	/**
	 * This lease when its holder acquires the lock again. It never ends earlier. Its
	 * seconds are counted from now, as those of a lease that begins now.
	 * @param seconds the duration that is asked for
	 * @param now the time
	 * @param longest how far from now a lease may be lengthened
	 * @return the lease, with the later of both ends
	 */
	Lease acquiredAgain(long seconds, Instant now, Duration longest) {
		long end = Math.max(this.expiry, starting(now, seconds, longest).expiry());
		return new Lease(end - now.getEpochSecond(), end);
	}

	/**
	 * This lease and a further duration.
	 * @param seconds the duration that is asked for
	 * @param now the time
	 * @param longest how far from now a lease may end
	 * @return the lease, cut to the longest, but never shorter than this one
	 */
	Lease prolonged(long seconds, Instant now, Duration longest) {
		long latest = Math.max(this.expiry, now.getEpochSecond() + longest.toSeconds());
		long granted = Math.min(seconds, latest - this.expiry);
		return new Lease(this.seconds + granted, this.expiry + granted);
	}

	/**
	 * Whether the lock is held no longer.
	 * @param now the time
	 * @return whether the second of the expiry is over
	 */
	boolean isOver(Instant now) {
		return now.getEpochSecond() > this.expiry;
	}

	/**
	 * How long the lease lasts from now on.
	 * @param now the time
	 * @return the time until the second of the expiry is over, in whole milliseconds
	 */
	Duration remaining(Instant now) {
		return Duration.ofMillis(Math.multiplyExact(this.expiry + 1, 1000) - now.toEpochMilli());
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.time.Duration;
import java.time.Instant;

/**
 * Arithmetic on nanoseconds. It saturates at {@link Long#MAX_VALUE}, so "no limit" needs
 * no special case.
 */
public final class Nanos {

	/** A time that never comes, for what is not due or has no limit. */
	public static final long NEVER = Long.MAX_VALUE;

	/** The longest back-off unless the caller allows a longer one. */
	public static final long LONGEST_BACKOFF = 1_000_000_000L;

	private static final long FIRST_BACKOFF = 25_000_000L;

	private Nanos() {
	}

	public static long of(Duration duration) {
		return (duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0) ? Long.MAX_VALUE : duration.toNanos();
	}

	public static long later(long from, long nanos) {
		long sum = from + nanos;
		return (nanos >= 0 && sum < from) ? Long.MAX_VALUE : sum;
	}

	/** Returns how much later one time is than another, negative if it is earlier. */
	public static long between(Instant from, Instant to) {
		Duration between = Duration.between(from, to);
		return between.isNegative() ? -of(between.negated()) : of(between);
	}

	/**
	 * Returns the back-off after failed calls, which grows up to a second.
	 * @param unanswered how many calls failed in a row, at least one
	 */
	public static long backoff(int unanswered, double fraction) {
		return backoff(unanswered, LONGEST_BACKOFF, fraction);
	}

	/** Returns the same, but the back-off grows up to the given bound. */
	public static long backoff(int unanswered, long longest, double fraction) {
		long grown = FIRST_BACKOFF << Math.min(unanswered, 30);
		return (long) (Math.min(longest, grown) * (0.5 + 0.5 * fraction));
	}

}

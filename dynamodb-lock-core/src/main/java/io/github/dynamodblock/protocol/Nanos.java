/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.time.Duration;
import java.time.Instant;

/**
 * Arithmetic on nanoseconds that ends at the greatest value instead of overflowing, so
 * that "no limit" needs no special case.
 */
public final class Nanos {

	private Nanos() {
	}

	/**
	 * The length of a duration.
	 * @param duration not negative
	 * @return its nanoseconds, or {@link Long#MAX_VALUE} if they cannot be counted
	 */
	public static long of(Duration duration) {
		return (duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0) ? Long.MAX_VALUE : duration.toNanos();
	}

	/**
	 * A point in time.
	 * @param from where to start
	 * @param nanos how much later, not negative
	 * @return the sum, or {@link Long#MAX_VALUE}
	 */
	public static long later(long from, long nanos) {
		long sum = from + nanos;
		return (nanos >= 0 && sum < from) ? Long.MAX_VALUE : sum;
	}

	/**
	 * How much later one time is than another.
	 * @param from the one
	 * @param to the other
	 * @return nanoseconds, negative if it is earlier, or the greatest or smallest value
	 */
	public static long between(Instant from, Instant to) {
		Duration between = Duration.between(from, to);
		return between.isNegative() ? -of(between.negated()) : of(between);
	}

}

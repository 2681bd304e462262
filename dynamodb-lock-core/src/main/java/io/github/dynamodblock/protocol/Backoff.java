/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

/**
 * How long to wait before a call that was not answered is followed by another.
 */
public final class Backoff {

	private static final long FIRST = 25_000_000L;

	/** The longest wait unless the caller has time for a longer one. */
	public static final long LONGEST = 1_000_000_000L;

	private Backoff() {
	}

	/**
	 * The wait after some calls without an answer.
	 * @param unanswered how many calls in a row were not answered, from one on
	 * @param fraction a random fraction
	 * @return nanoseconds, growing with the number of calls, up to one second
	 */
	public static long nanos(int unanswered, double fraction) {
		return nanos(unanswered, LONGEST, fraction);
	}

	/**
	 * The wait after some calls without an answer.
	 * @param unanswered how many calls in a row were not answered, from one on
	 * @param longest the bound of the growth, in nanoseconds
	 * @param fraction a random fraction
	 * @return nanoseconds, growing with the number of calls
	 */
	public static long nanos(int unanswered, long longest, double fraction) {
		long grown = FIRST << Math.min(unanswered, 30);
		return (long) (Math.min(longest, grown) * (0.5 + 0.5 * fraction));
	}

}

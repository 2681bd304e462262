/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import org.jspecify.annotations.Nullable;

/**
 * How many calls of a client are under way at a time. The others wait for a slot.
 *
 * @param heartbeats how many heartbeats
 * @param calls how many other calls; a fifth of them is for releases alone
 */
public record ConcurrencyLimits(int heartbeats, int calls) {

	/** Half of the connections that an HTTP client of the SDK has unless set. */
	public static final int DEFAULT = 25;

	/** The limits unless set. */
	public static final ConcurrencyLimits DEFAULTS = new ConcurrencyLimits(DEFAULT, DEFAULT);

	/** The most calls that a client can be allowed. */
	public static final int MOST = 10_000;

	/**
	 * @throws IllegalArgumentException if a limit is not positive, or more than
	 * {@value #MOST}
	 */
	public ConcurrencyLimits {
		checked("maxConcurrentHeartbeats", heartbeats);
		checked("maxConcurrentCalls", calls);
	}

	/**
	 * The limits that were set, and the defaults of the others.
	 * @param heartbeats how many heartbeats, or {@code null}
	 * @param calls how many other calls, or {@code null}
	 * @return the limits
	 */
	public static ConcurrencyLimits of(@Nullable Integer heartbeats, @Nullable Integer calls) {
		return new ConcurrencyLimits((heartbeats != null) ? heartbeats : DEFAULT, (calls != null) ? calls : DEFAULT);
	}

	/**
	 * Checks a limit.
	 * @param name what it is called
	 * @param limit the limit
	 * @return the limit
	 * @throws IllegalArgumentException if it is not positive, or more than {@value #MOST}
	 */
	public static int checked(String name, int limit) {
		if (limit < 1 || limit > MOST) {
			throw new IllegalArgumentException(name + " is " + limit + "; it must be from 1 to " + MOST);
		}
		return limit;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

/**
 * Where a call stands among those that wait for a slot: those of an earlier rank go
 * first, and within a rank the one that is due first.
 *
 * @param rank the rank
 * @param dueBy when the call is due, on a clock that all calls of the queue share
 */
public record Priority(Rank rank, long dueBy) implements Comparable<Priority> {

	/** Before all others. */
	public static final Priority URGENT = new Priority(Rank.FIRST, Long.MIN_VALUE);

	@Override
	public int compareTo(Priority other) {
		int byRank = this.rank.compareTo(other.rank);
		return (byRank != 0) ? byRank : Long.compare(this.dueBy, other.dueBy);
	}

	/**
	 * The ranks of calls.
	 */
	public enum Rank {

		/** A call that nothing is known against. */
		FIRST,

		/** A call that must not push out one of the first rank. */
		SECOND,

		/** A call that may occupy its slot for long, for which few slots are there. */
		LAST

	}

}

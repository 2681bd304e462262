/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.util.function.Consumer;

import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls to the store without blocking the sender. Thread-safe.
 */
public interface StoreCalls {

	/**
	 * Sends one call as soon as a slot is free.
	 * @param source gives the call just before it is sent, so that its times are exact
	 * @param answered takes the answer; not called if the source gave no call
	 */
	void send(Source source, Consumer<Answer> answered);

	/**
	 * Gives a call.
	 */
	@FunctionalInterface
	interface Source {

		/**
		 * Returns the call to send now.
		 * @return the call, or {@code null} to send nothing
		 */
		Step.@Nullable Call next();

		/**
		 * Returns the priority among the calls that wait for a slot.
		 * @return the priority
		 */
		default Priority priority() {
			return Priority.URGENT;
		}

	}

	/**
	 * The priority of a call that waits for a slot: by rank, and within a rank by when
	 * the call is due.
	 *
	 * @param rank the rank
	 * @param dueBy when the call is due, on a clock that all calls of the queue share
	 */
	record Priority(Rank rank, long dueBy) implements Comparable<Priority> {

		/** Before all others. */
		public static final Priority URGENT = new Priority(Rank.FIRST, Long.MIN_VALUE);

		@Override
		public int compareTo(Priority other) {
			int byRank = this.rank.compareTo(other.rank);
			return (byRank != 0) ? byRank : Long.compare(this.dueBy, other.dueBy);
		}

	}

	/**
	 * The ranks of calls.
	 */
	enum Rank {

		/** A first attempt. */
		FIRST,

		/** A call that must not delay one of the first rank. */
		SECOND,

		/** A call that may occupy its slot for long; only some slots are for these. */
		LAST

	}

}

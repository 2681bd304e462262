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
		 * Returns the priority among the calls that wait for a slot. It is asked for
		 * again when a slot is free; the call may have become less urgent by then.
		 * @return the priority
		 */
		default Priority priority() {
			return Priority.URGENT;
		}

	}

	/**
	 * The priority of a call that waits for a slot.
	 *
	 * @param dueBy when the call is due, on a clock that all calls of the queue share
	 * @param share the slots that it may occupy
	 */
	record Priority(long dueBy, Share share) {

		/** Before all others. */
		public static final Priority URGENT = new Priority(Long.MIN_VALUE, Share.ALL);

		/** The holder of a lock waits for it. */
		public static final Priority HOLDER = new Priority(Long.MIN_VALUE + 1, Share.MOST);

		/** A caller waits for it who needs no lock. */
		public static final Priority READ = new Priority(Long.MIN_VALUE + 2, Share.SOME);

		/** After all others, and never in all slots. */
		public static final Priority LAST = new Priority(Long.MAX_VALUE, Share.SOME);

	}

	/**
	 * The slots that calls of a kind may occupy together with those of the kinds after
	 * it, so that however many hang, some slots are left to the kinds before it.
	 */
	enum Share {

		ALL(0), MOST(1), SOME(2);

		/** How many kinds come before. */
		final int number;

		Share(int number) {
			this.number = number;
		}

	}

}

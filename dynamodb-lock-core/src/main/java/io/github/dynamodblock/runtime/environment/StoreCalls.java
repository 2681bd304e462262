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
	 * @param mayHang whether the call may occupy its slot for long; only some slots are
	 * for these
	 */
	record Priority(long dueBy, boolean mayHang) {

		/** Before all others. */
		public static final Priority URGENT = new Priority(Long.MIN_VALUE, false);

		/** After all others, and never in all slots. */
		public static final Priority LAST = new Priority(Long.MAX_VALUE, true);

	}

}

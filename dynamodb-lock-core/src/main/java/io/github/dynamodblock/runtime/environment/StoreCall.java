/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits for its slot.
 */
public interface StoreCall {

	/**
	 * Returns the priority among the calls that wait. It is asked for again when a slot
	 * is free: the call may have become less urgent by then.
	 */
	Priority priority();

	/** Returns whether its sender no longer waits for a slot. */
	default boolean isWithdrawn() {
		return false;
	}

	/**
	 * Begins the call on its thread, so that its times are exact.
	 * @return the call to send now, or {@code null} if nothing is to be sent
	 */
	Step.@Nullable Call next();

	/** Takes the answer; not called if there was no call to send. */
	void answered(Answer answer);

	/**
	 * The priority of a call.
	 *
	 * @param kind what the call is for
	 * @param dueBy when it is due, on a clock that all calls of the queue share; decides
	 * before the kind
	 */
	record Priority(CallKind kind, long dueBy) {

		/** Creates that of a call which is sent in the order of the kinds. */
		public Priority(CallKind kind) {
			this(kind, 0);
		}

	}

}

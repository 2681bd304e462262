/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/** A call that waits for its call slot. */
public interface StoreCall {

	/**
	 * Returns the priority among the waiting calls. Called again when a call slot is
	 * free, because the call may have become less urgent.
	 */
	Priority priority();

	/** Returns whether its sender no longer wants it to be sent. */
	default boolean isWithdrawn() {
		return false;
	}

	/**
	 * Begins the call, on the thread that makes it, so its times are exact.
	 * @return the call to send now, or {@code null} to send nothing
	 */
	Step.@Nullable Call next();

	/** Receives the answer; not called if {@link #next} returned {@code null}. */
	void answered(Answer answer);

	/**
	 * The priority of a call.
	 *
	 * @param dueBy when the call is due, on a clock that all calls of the queue share.
	 * This time takes precedence over the kind.
	 */
	record Priority(CallKind kind, long dueBy) {

		/** Creates the priority of a call that is sent in the order of kinds. */
		public Priority(CallKind kind) {
			this(kind, 0);
		}

	}

}

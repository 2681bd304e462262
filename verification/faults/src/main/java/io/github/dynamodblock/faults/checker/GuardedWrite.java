/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.io.Serializable;

/**
 * What a worker reports of an update of the guarded counter.
 *
 * @param update its id, which no other update has
 * @param grant under which grant it was sent
 * @param lock the lock that guards the counter
 * @param outcome what the worker knows of it
 * @param guarded whether it was sent with a condition on the lock, or is treated as if
 */
public record GuardedWrite(String update, String grant, int lock, Outcome outcome,
		boolean guarded) implements Serializable {

	/** What the response or the exception says. */
	public enum Outcome {

		/** It was committed. */
		ACKNOWLEDGED,

		/** It was not committed. */
		REFUSED,

		/** It may have been committed or not. */
		UNKNOWN

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A series of calls about one lock. The caller carries out each step and passes in its
 * result, which determines the next step. Not thread-safe.
 */
public interface Operation {

	Step start(ClockReading now);

	/**
	 * Prepares the last step's call just before it is sent. It may have waited for a call
	 * slot.
	 * @return the call to send, or {@code null} to send nothing and {@link #wake} instead
	 */
	default Step.@Nullable Call sending(Step.Call call, Supplier<ClockReading> clock) {
		return call;
	}

	/** Returns the next step after the answer to the last {@link Step.Call}. */
	Step answered(Answer answer, ClockReading now);

	/** Returns the next step after a {@link Step.Wait}. */
	Step wake(ClockReading now);

}

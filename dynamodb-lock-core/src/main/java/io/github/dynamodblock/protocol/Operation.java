/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A series of calls about one lock, one at a time: each step is carried out, and its
 * result gives the next step. Not thread-safe.
 */
public interface Operation {

	/**
	 * Begins.
	 * @param now the time
	 * @return the first step
	 */
	Step start(ClockReading now);

	/**
	 * The call of the last step is about to be sent. It may have waited for a slot until
	 * now.
	 * @param call the call
	 * @param clock reads the time before it is sent
	 * @return the call to send, or {@code null} to send nothing; {@link #wake} then gives
	 * the next step
	 */
	default Step.@Nullable Call sending(Step.Call call, Supplier<ClockReading> clock) {
		return call;
	}

	/**
	 * Takes the answer to the last {@link Step.Write} or {@link Step.Read}.
	 * @param answer the answer
	 * @param now the time at which it had come
	 * @return the next step
	 */
	Step answered(Answer answer, ClockReading now);

	/**
	 * Continues after a {@link Step.Wait}.
	 * @param now the time
	 * @return the next step
	 */
	Step wake(ClockReading now);

}

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
	 * Sends one call as soon as there is a place for it.
	 * @param source gives the call just before it is sent, so that its time is true
	 * @param answered takes the answer; not called if the source gave no call
	 */
	void send(Source source, Consumer<Answer> answered);

	/**
	 * Where a call comes from.
	 */
	@FunctionalInterface
	interface Source {

		/**
		 * The call to send now.
		 * @return the call, or {@code null} to send nothing
		 */
		Step.@Nullable Call next();

		/**
		 * Where the call stands among others that wait for a slot.
		 * @return the priority
		 */
		default Priority priority() {
			return Priority.URGENT;
		}

	}

}

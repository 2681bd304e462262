/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

/**
 * Runs short tasks later, each at its time, one after the other. Thread-safe.
 */
public interface Timer {

	/**
	 * Runs a task once.
	 * @param delayNanos in how many nanoseconds; at once if not positive
	 * @param task what to run; it does not block
	 * @return how to take it back
	 */
	Task schedule(long delayNanos, Runnable task);

	/**
	 * A task that waits for its time.
	 */
	interface Task {

		/**
		 * Takes the task back if it has not begun.
		 */
		void cancel();

	}

}

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
	 * @param delayNanos the delay in nanoseconds; not positive for at once
	 * @param task the task, which does not block
	 * @return the scheduled task
	 */
	Task schedule(long delayNanos, Runnable task);

	/**
	 * A scheduled task.
	 */
	interface Task {

		/**
		 * Cancels the task if it has not begun.
		 */
		void cancel();

	}

}

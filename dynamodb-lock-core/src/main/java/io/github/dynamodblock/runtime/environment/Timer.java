/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

/** Runs short tasks later, one after the other, each at its time. Thread-safe. */
public interface Timer {

	/**
	 * Runs a task once.
	 * @param delayNanos the delay in nanoseconds; zero or less means at once
	 * @param task the task, which does not block
	 */
	Task schedule(long delayNanos, Runnable task);

	interface Task {

		/**
		 * Cancels the task if it has not begun.
		 */
		void cancel();

	}

}

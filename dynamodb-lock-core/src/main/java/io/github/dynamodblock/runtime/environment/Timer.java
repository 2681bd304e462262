/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

/** Runs short tasks later, one after the other, each at its time. Thread-safe. */
public interface Timer {

	/**
	 * Runs a task once. The task does not block.
	 * @param delayNanos zero or less means at once
	 */
	Task schedule(long delayNanos, Runnable task);

	interface Task {

		/**
		 * Cancels the task if it has not begun.
		 */
		void cancel();

	}

}

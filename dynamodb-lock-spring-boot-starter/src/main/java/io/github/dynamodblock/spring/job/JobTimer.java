/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks later. Thread-safe.
 */
@FunctionalInterface
public interface JobTimer {

	/** Runs short tasks on the threads that the JDK shares among futures. */
	JobTimer SHARED = (delay, task) -> CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS)
		.execute(task);

	/**
	 * Runs a task once.
	 * @param delay after which time
	 * @param task the task, which does not block
	 */
	void schedule(Duration delay, Runnable task);

}

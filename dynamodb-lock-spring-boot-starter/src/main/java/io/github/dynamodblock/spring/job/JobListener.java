/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Receives callbacks about the jobs of this node. They run on the threads of jobs and
 * schedulers, so implementations must be thread-safe and return quickly. Their exceptions
 * are logged.
 */
@FunctionalInterface
public interface JobListener {

	/**
	 * Called when a run has started or ended on this node, or this node reports a crash
	 * or missed ticks.
	 * @param event the event
	 */
	void onEvent(JobEvent event);

	/**
	 * Called when this node has read a job's record, such as at startup, when it starts a
	 * run, or when a run is refused.
	 * @param job the job
	 * @param record the record
	 */
	default void onRecord(LockedJob job, JobRecord record) {
	}

	/**
	 * Called when a due tick starts to wait on this node, because the lock is held or
	 * DynamoDB does not answer, and again when no tick waits any more.
	 * @param job the job
	 * @param tick the tick, or {@code null} if none waits
	 */
	default void onWaiting(LockedJob job, @Nullable Instant tick) {
	}

}

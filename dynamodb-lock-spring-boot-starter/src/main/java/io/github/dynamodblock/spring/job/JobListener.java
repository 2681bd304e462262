/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Receives what happens to the jobs of this node. Calls come from threads of jobs and of
 * their schedulers: an implementation returns soon and is thread-safe. What it throws is
 * logged.
 */
@FunctionalInterface
public interface JobListener {

	/**
	 * Called when a run has started or ended on this node, or this node reports a crash
	 * or missed ticks.
	 * @param event what has happened
	 */
	void onEvent(JobEvent event);

	/**
	 * Called when this node has read the record of a job: when it comes up, when it
	 * starts a run, and when it is refused one.
	 * @param job the job
	 * @param record the record
	 */
	default void onRecord(LockedJob job, JobRecord record) {
	}

	/**
	 * Called when a tick that is due begins to wait on this node, because the lock is
	 * held or DynamoDB does not answer, and when it no longer waits.
	 * @param job the job
	 * @param tick the tick, or {@code null} if none waits
	 */
	default void onWaiting(LockedJob job, @Nullable Instant tick) {
	}

}

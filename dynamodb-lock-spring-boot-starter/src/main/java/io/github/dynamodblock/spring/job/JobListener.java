/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Receives what happens to the jobs of this node. Calls come from threads of jobs and of
 * their schedulers: an implementation returns soon and is thread-safe.
 */
public interface JobListener {

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

	/**
	 * Called when a run starts on this node.
	 * @param run the run
	 */
	default void onStarted(JobRun run) {
	}

	/**
	 * Called when the body of a run on this node has ended.
	 * @param run the run
	 * @param duration how long the body took
	 * @param outcome how the run ended
	 * @param failure the exception of the body, or {@code null} if it has none
	 */
	default void onFinished(JobRun run, Duration duration, JobOutcome outcome, @Nullable Throwable failure) {
	}

	/**
	 * Called once for each run that crashed, on the node that takes over.
	 * @param job the job
	 * @param tick the tick of the run that crashed
	 * @param rerun whether this node runs the tick again
	 */
	default void onCrashed(LockedJob job, Instant tick, boolean rerun) {
	}

	/**
	 * Called on the node that runs the next tick after some were missed.
	 * @param job the job
	 * @param ticks the missed ticks in order, at most 1,000
	 * @param runOnce whether the job runs once for them
	 */
	default void onMissed(LockedJob job, List<Instant> ticks, boolean runOnce) {
	}

}

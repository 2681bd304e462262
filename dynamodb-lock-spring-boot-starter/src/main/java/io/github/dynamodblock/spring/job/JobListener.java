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
 * Receives what happens to the jobs of this node. A run can be one that was started
 * manually ({@link JobRun#manual()}), which belongs to no tick. Calls come from threads
 * of jobs and of their schedulers: an implementation returns soon and is thread-safe.
 */
public interface JobListener {

	/**
	 * Called when this node has read the ledger of a job: when it comes up, and when it
	 * is refused a tick that another node runs.
	 * @param job the job
	 * @param ledger the ledger
	 */
	default void onLedger(LockedJob job, JobLedger ledger) {
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
	 * @param failure its exception, or {@code null} if it was successful
	 */
	default void onFinished(JobRun run, Duration duration, @Nullable Throwable failure) {
	}

	/**
	 * Called when this node takes over from a run that did not finish.
	 * @param run the run that crashed
	 * @param rerun whether this node runs its tick again
	 */
	default void onCrashed(JobRun run, boolean rerun) {
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

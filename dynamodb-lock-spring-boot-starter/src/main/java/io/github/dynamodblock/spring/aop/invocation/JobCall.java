/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.spring.LockWaitInterruptedException;
import io.github.dynamodblock.spring.LockedExecution;
import io.github.dynamodblock.spring.job.JobRuns;
import io.github.dynamodblock.spring.job.JobStart;
import io.github.dynamodblock.spring.job.LockedJob;
import org.jspecify.annotations.Nullable;

/**
 * One call of a job's method: that of a run, or another one, under a plain lock.
 * Thread-safe.
 */
final class JobCall {

	private final JobRuns runs;

	private final LockedJob job;

	private final @Nullable JobStart start;

	/** Completes when the lock is granted or refused. */
	private final CompletableFuture<@Nullable Void> answered = new CompletableFuture<>();

	private volatile JobRuns.@Nullable Running running;

	/**
	 * Creates a call.
	 * @param start what the call starts, or {@code null} for a plain lock
	 */
	JobCall(JobRuns runs, LockedJob job, @Nullable JobStart start) {
		this.runs = runs;
		this.job = job;
		this.start = start;
	}

	LockedJob job() {
		return this.job;
	}

	/** Returns whether the call starts a run. */
	boolean isRun() {
		return this.start != null;
	}

	CompletableFuture<@Nullable Void> answered() {
		return this.answered;
	}

	LockRequest claim(LockRequest plain) {
		return (this.start != null) ? this.start.claim(plain) : plain;
	}

	void prepare(LockedExecution execution) {
		execution.releaseWith(this::ended);
	}

	void started(HeldLock lock) {
		if (this.start != null) {
			this.running = this.runs.started(this.start, lock);
		}
		if (!this.answered.complete(null) && this.answered.isCompletedExceptionally()) {
			throw new IllegalStateException("The caller of " + this.job + " no longer waits for it");
		}
	}

	private ReleaseRequest ended(@Nullable Throwable failure) {
		JobRuns.Running ending = this.running;
		return (ending != null) ? ending.ended(failure) : this.runs.called(failure);
	}

	/**
	 * Reports that the lock was not granted.
	 * @return what the call throws: a run is skipped, and may be started later
	 */
	RuntimeException refused(RuntimeException failure) {
		this.answered.completeExceptionally(failure);
		if (this.start == null) {
			return failure;
		}
		if (failure instanceof LockNotGrantedException refusal) {
			this.runs.refused(this.start, refusal);
		}
		else if (failure instanceof LockStoreException || failure instanceof LockWaitInterruptedException) {
			this.runs.failed(this.start, failure);
		}
		else {
			return failure;
		}
		return new ScheduledJobs.SkippedException();
	}

}

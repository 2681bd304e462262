/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseRequest;
import org.jspecify.annotations.Nullable;

/**
 * One call of a job's method, either for a run or under a plain lock. The code that
 * acquires the lock reports the result here. Thread-safe.
 */
public final class JobCall {

	private final JobRuns runs;

	private final LockedJob job;

	private final @Nullable JobRun run;

	private final CompletableFuture<@Nullable Void> answered = new CompletableFuture<>();

	private volatile @Nullable Granted granted;

	JobCall(JobRuns runs, LockedJob job, @Nullable JobRun run) {
		this.runs = runs;
		this.job = job;
		this.run = run;
	}

	/**
	 * {@return the job}
	 */
	public LockedJob job() {
		return this.job;
	}

	/**
	 * {@return the run that the call starts, or {@code null} if it has a plain lock}
	 */
	public @Nullable JobRun run() {
		return this.run;
	}

	/**
	 * {@return a future that completes when the lock is granted or refused}
	 */
	public CompletableFuture<@Nullable Void> answered() {
		return this.answered;
	}

	/**
	 * Returns the request for the lock.
	 * @param plain the request of a call under a plain lock
	 * @return the request
	 */
	public LockRequest claim(LockRequest plain) {
		return (this.run != null) ? this.run.claim(plain, this.runs.application()) : plain.keepItem(true);
	}

	/**
	 * Reports that the lock was granted and the body starts.
	 * @param lock the lock
	 */
	public void started(HeldLock lock) {
		if (this.run != null) {
			this.runs.started(this.run, lock);
			this.granted = new Granted(lock, this.runs.clock().nanoTime());
		}
		if (!this.answered.complete(null) && this.answered.isCompletedExceptionally()) {
			throw new IllegalStateException("The caller of " + this.job + " no longer waits for it");
		}
	}

	/**
	 * Reports that the lock was not granted, DynamoDB did not answer or refused the call,
	 * or the thread was interrupted.
	 * @param failure the reason
	 * @return whether the call is for a run, which is skipped and may start later
	 */
	public boolean refused(RuntimeException failure) {
		this.answered.completeExceptionally(failure);
		return this.run != null && this.runs.refused(this.run, failure);
	}

	/**
	 * Reports that the body has ended.
	 * @param thrown the exception of the body, or {@code null}
	 * @return how to release the lock
	 */
	public ReleaseRequest ended(@Nullable Throwable thrown) {
		Throwable failure = cause(thrown);
		Granted begun = this.granted;
		if (this.run == null) {
			return (failure != null) ? ReleaseRequest.create()
					: ReleaseRequest.create().change(JobRecord.succeeded(this.runs.clock().now()));
		}
		if (this.run.end() != null) {
			return ReleaseRequest.create();
		}
		if (begun == null) {
			// The lock was lost or the thread left before the body began.
			return unused();
		}
		long now = this.runs.clock().nanoTime();
		JobOutcome outcome = begun.lock.lossReason().filter(LossReason.HELD_TOO_LONG::equals).isPresent()
				? JobOutcome.TIMED_OUT : this.runs.outcome(failure);
		this.runs.finished(this.run, Duration.ofNanos(now - begun.nanoTime), outcome, failure);
		if (outcome == JobOutcome.INTERRUPTED && this.job.attempts() > 1) {
			return ReleaseRequest.create().change(JobRecord.interrupted(this.run));
		}
		ItemChange ended = JobRecord.began(at(this.run, begun.nanoTime))
			.then(JobRecord.ended(this.run, at(this.run, now), outcome, failure));
		return ReleaseRequest.create().change(ended);
	}

	/**
	 * Reports that the lock was granted, but the body was not called.
	 * @return how to release the lock
	 */
	public ReleaseRequest unused() {
		if (this.run == null) {
			return ReleaseRequest.create();
		}
		this.runs.unused(this.run);
		return ReleaseRequest.create().change(JobRecord.unused(this.run));
	}

	/**
	 * Returns the exception of a body.
	 * @param thrown the exception of its call or stage, or {@code null}
	 * @return the exception itself, or its cause if a stage has wrapped it
	 */
	public static @Nullable Throwable cause(@Nullable Throwable thrown) {
		return (thrown instanceof CompletionException && thrown.getCause() != null) ? thrown.getCause() : thrown;
	}

	/** Ignores the wall clock, which may be set while the body runs. */
	private static Instant at(JobRun run, long nanoTime) {
		return run.now().at().plusNanos(nanoTime - run.now().nanoTime());
	}

	private record Granted(HeldLock lock, long nanoTime) {
	}

}

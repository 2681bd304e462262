/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call of a job's method, either for a run or under a plain lock. The code that
 * acquires the lock reports the result here. Thread-safe.
 */
public abstract class JobCall {

	private static final Logger logger = LoggerFactory.getLogger(JobCall.class);

	/**
	 * {@return the job}
	 */
	public abstract LockedJob job();

	/** Returns the run, or {@code null} if the call has a plain lock. */
	abstract @Nullable JobRun run();

	/**
	 * {@return whether the call is for a run, and not for a plain lock}
	 */
	public boolean isRun() {
		return run() != null;
	}

	/**
	 * {@return whether the claim of the lock only records how a run has ended; the method
	 * is then not called}
	 */
	public boolean isEnd() {
		JobRun run = run();
		return run != null && run.end() != null;
	}

	/**
	 * {@return a future that completes when the lock is granted or refused}
	 */
	public abstract CompletableFuture<@Nullable Void> answered();

	/**
	 * Returns the request for the lock.
	 * @param plain the request of a call under a plain lock
	 * @return the request
	 */
	public abstract LockRequest claim(LockRequest plain);

	/**
	 * Reports that the lock was granted and the body starts.
	 * @param lock the lock
	 */
	public abstract void started(HeldLock lock);

	/**
	 * Reports that the lock was not granted, DynamoDB did not answer or refused the call,
	 * or the thread was interrupted.
	 * @param failure the reason
	 * @return whether the call is for a run, which is skipped and may start later
	 */
	public abstract boolean refused(RuntimeException failure);

	/**
	 * Reports that the body has ended.
	 * @param thrown the exception of the body, or {@code null}
	 * @return how to release the lock
	 */
	public abstract ReleaseRequest ended(@Nullable Throwable thrown);

	/**
	 * Reports that the lock was granted, but the body was not called.
	 * @return how to release the lock
	 */
	public abstract ReleaseRequest unused();

	/**
	 * Returns the exception of a body.
	 * @param thrown the exception of its call or stage, or {@code null}
	 * @return the exception, without the wrapper of a stage
	 */
	public static @Nullable Throwable cause(@Nullable Throwable thrown) {
		return (thrown instanceof CompletionException && thrown.getCause() != null) ? thrown.getCause() : thrown;
	}

	/**
	 * Logs how the body failed, because no caller receives the exception.
	 * @param thrown the exception of its call or stage, or {@code null} if it succeeded
	 */
	public void logFailure(@Nullable Throwable thrown) {
		if (thrown != null) {
			logger.error("{} failed", this, cause(thrown));
		}
	}

	@Override
	public String toString() {
		return isRun() ? String.valueOf(run()) : String.valueOf(job());
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.CallersContext;
import io.github.dynamodblock.spring.LockedExecution;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls whose work is done when the stage that the method returned completes. The locks
 * are taken in the caller's thread, before the method begins.
 */
final class FutureCalls {

	private static final Logger logger = LoggerFactory.getLogger(FutureCalls.class);

	private final Executor releases;

	private final Executor bodies;

	/**
	 * Creates the style.
	 * @param releases where locks are released, so that the thread that completes a stage
	 * does not wait for that
	 * @param bodies where the caller's future completes; takes every task at once, since
	 * its dependents may wait for each other
	 */
	FutureCalls(Executor releases, Executor bodies) {
		this.releases = releases;
		this.bodies = bodies;
	}

	@SuppressWarnings("NullAway") // does not see that the result's type is nullable
	@Nullable CompletionStage<?> run(LockedCall call) throws Throwable {
		LockedExecution execution = call.execution();
		// Before there is a lock that a failure could leave.
		Executor releases = CallersContext.on(this.releases);
		try {
			call.acquire(execution);
		}
		catch (LockNotGrantedException ex) {
			return answer(call, ex);
		}
		catch (LockException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		CompletionStage<?> work;
		try {
			work = (CompletionStage<?>) execution.<@Nullable Object, Throwable>run(call::proceed);
		}
		catch (Throwable ex) {
			execution.end(ex);
			throw ex;
		}
		if (work == null) {
			// No work goes on that a lock could cover.
			execution.end(null);
			return null;
		}
		return execution.isJoined() ? joined(work, execution) : locked(work, execution, releases);
	}

	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	private static CompletionStage<?> joined(CompletionStage<?> work, LockedExecution execution) {
		work.whenComplete((result, failure) -> execution.reportOutlived());
		return work;
	}

	private static @Nullable CompletionStage<?> answer(LockedCall call, LockNotGrantedException refusal)
			throws Throwable {
		try {
			return (CompletionStage<?>) call.notGranted(refusal);
		}
		catch (LockNotGrantedException ex) {
			if (ex == refusal) {
				return CompletableFuture.failedFuture(refusal);
			}
			throw ex;
		}
	}

	/**
	 * Returns what the caller gets in place of the stage that the method returned: it
	 * completes as that one does, once the locks are released. Its dependents may block,
	 * even for another release, so that they never run in a release thread.
	 */
	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	private CompletableFuture<@Nullable Object> locked(CompletionStage<?> work, LockedExecution execution,
			Executor releases) {
		CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
		work.whenComplete((value, failure) -> releases.execute(() -> {
			try {
				execution.release(failure);
			}
			finally {
				this.bodies.execute(() -> end(result, execution, value, failure));
			}
		}));
		execution.loss().thenAcceptAsync((loss) -> {
			// A loss after the end is none of the caller's business any more.
			if (!result.isDone()) {
				cancel(work, execution);
				result.completeExceptionally(loss);
			}
		}, this.bodies);
		// The locks are released when the method's stage has ended, which a cancellation
		// need not cause.
		result.whenComplete((value, failure) -> {
			if (result.isCancelled()) {
				cancel(work, execution);
			}
		});
		return result;
	}

	private static void end(CompletableFuture<@Nullable Object> result, LockedExecution execution,
			@Nullable Object value, @Nullable Throwable failure) {
		LockLostException lost = execution.findLoss(failure);
		if (lost != null) {
			result.completeExceptionally(lost);
		}
		else if (failure != null) {
			result.completeExceptionally(failure);
		}
		else {
			result.complete(value);
		}
	}

	private static void cancel(CompletionStage<?> work, LockedExecution execution) {
		try {
			work.toCompletableFuture().cancel(true);
		}
		catch (UnsupportedOperationException ex) {
			logger.debug("{} returned a stage that cannot be cancelled: {}", execution.work(), work, ex);
		}
	}

}

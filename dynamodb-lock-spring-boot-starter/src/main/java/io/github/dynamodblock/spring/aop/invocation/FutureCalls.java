/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.LockedExecution;
import org.jspecify.annotations.Nullable;

/**
 * Calls whose work is done when the stage that the method returned completes. The locks
 * are taken in the caller's thread, before the method begins.
 */
final class FutureCalls {

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
		return execution.isJoined() ? joined(work, execution)
				: LockedFuture.of(work, execution, this.releases, this.bodies);
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

}

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
 * Runs calls whose work is done when the stage that the method returned completes. The
 * locks are acquired in the caller's thread, before the method starts.
 */
final class FutureCalls {

	private static final Logger logger = LoggerFactory.getLogger(FutureCalls.class);

	private final Executor bodies;

	/**
	 * Creates an instance.
	 * @param bodies the executor on which the caller's future completes. It must start
	 * every task at once, because dependent stages may wait for each other.
	 */
	FutureCalls(Executor bodies) {
		this.bodies = bodies;
	}

	@SuppressWarnings("NullAway") // does not see that the result's type is nullable
	@Nullable CompletionStage<?> run(LockedCall call) throws Throwable {
		LockedExecution execution = call.execution();
		// Created before a lock is held, which a failure here would leave behind.
		Executor callersContext = CallersContext.on(call.releasing(this.bodies));
		try {
			call.acquire();
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
			// The work is done, so the locks can be released.
			execution.end(null);
			return null;
		}
		return execution.isJoined() ? joined(work, execution) : locked(work, execution, callersContext);
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
	 * Returns the caller's replacement for the stage that the method returned. It
	 * completes with the same result once the locks are released. The thread that
	 * completes the stage only begins the releases. Dependent stages may block, even for
	 * another release, and therefore run in separate threads.
	 */
	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	private CompletableFuture<@Nullable Object> locked(CompletionStage<?> work, LockedExecution execution,
			Executor callersContext) {
		CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
		work.whenComplete((value, failure) -> callersContext.execute(() -> execution.releaseAsync(failure)
			.thenRunAsync(() -> end(result, execution, value, failure), this.bodies)));
		execution.loss().thenAcceptAsync((loss) -> {
			// A loss after the end does not concern the caller.
			if (!result.isDone()) {
				cancel(work, execution);
				result.completeExceptionally(loss);
			}
		}, this.bodies);
		// The locks are released when the method's stage has ended. A cancellation may
		// not end that stage.
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

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
import io.github.dynamodblock.spring.LockedExecution;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

	/**
	 * What the caller of a method gets in place of the stage that the method returned: it
	 * completes as that one does, once the locks are released. Its dependents may block,
	 * even for another release, so that they never run in a release thread. Thread-safe.
	 */
	private static final class LockedFuture extends CompletableFuture<Object> {

		private static final Logger logger = LoggerFactory.getLogger(LockedFuture.class);

		private final CompletionStage<?> work;

		private final LockedExecution execution;

		private final Executor bodies;

		private LockedFuture(CompletionStage<?> work, LockedExecution execution, Executor bodies) {
			this.work = work;
			this.execution = execution;
			this.bodies = bodies;
		}

		/**
		 * Creates the future of one call.
		 * @param work what the method returned
		 * @param execution holds the locks of the call
		 * @param releases where the locks are released
		 * @param bodies where the future completes, and the work is cancelled
		 */
		@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
		static LockedFuture of(CompletionStage<?> work, LockedExecution execution, Executor releases, Executor bodies) {
			LockedFuture future = new LockedFuture(work, execution, bodies);
			work.whenComplete((result, failure) -> releases.execute(() -> future.release(result, failure)));
			execution.loss().thenAccept((loss) -> bodies.execute(() -> future.lost(loss)));
			return future;
		}

		private void release(@Nullable Object result, @Nullable Throwable failure) {
			try {
				this.execution.release(failure);
			}
			finally {
				this.bodies.execute(() -> end(result, failure));
			}
		}

		private void end(@Nullable Object result, @Nullable Throwable failure) {
			LockLostException lost = this.execution.findLoss(failure);
			if (lost != null) {
				completeExceptionally(lost);
			}
			else if (failure != null) {
				completeExceptionally(failure);
			}
			else {
				complete(result);
			}
		}

		/** A loss after the end is none of the caller's business any more. */
		private void lost(LockLostException loss) {
			if (!isDone()) {
				cancelWork();
				completeExceptionally(loss);
			}
		}

		/**
		 * Cancels the stage that the method returned, too. The locks are released when
		 * that stage has ended, which a cancellation need not cause.
		 */
		@Override
		public boolean cancel(boolean mayInterruptIfRunning) {
			boolean done = isDone();
			boolean cancelled = super.cancel(mayInterruptIfRunning);
			if (!done && cancelled) {
				cancelWork();
			}
			return cancelled;
		}

		private void cancelWork() {
			try {
				this.work.toCompletableFuture().cancel(true);
			}
			catch (UnsupportedOperationException ex) {
				logger.debug("{} returned a stage that cannot be cancelled: {}", this.execution.work(), this.work, ex);
			}
		}

		/** Dependent futures have no separate work to cancel. */
		@Override
		public <U> CompletableFuture<U> newIncompleteFuture() {
			return new CompletableFuture<>();
		}

	}

}

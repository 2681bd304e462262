/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.runtime.environment.Callbacks;

/**
 * The promise of a lock. However it is completed by somebody else, the acquisition is
 * given up, and a lock that nobody takes is released. Thread-safe.
 */
final class AcquisitionFuture extends CompletableFuture<HeldLock> {

	private final Executor executor;

	private AcquisitionFuture(Executor executor) {
		this.executor = executor;
	}

	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	static AcquisitionFuture of(AcquisitionTask task, Executor executor) {
		AcquisitionFuture future = new AcquisitionFuture(executor);
		task.announced().whenComplete((outcome, impossible) -> Callbacks.run(() -> future.hand(outcome, task)));
		future.whenComplete((lock, problem) -> future.leave(lock, task));
		return future;
	}

	private void hand(AcquisitionTask.Outcome outcome, AcquisitionTask task) {
		try {
			this.executor.execute(() -> completeWith(outcome, task));
		}
		catch (Throwable ex) {
			// Whatever it is, nobody is there to take the lock.
			completeExceptionally(ex);
		}
	}

	private void completeWith(AcquisitionTask.Outcome outcome, AcquisitionTask task) {
		if (outcome.handle() != null) {
			complete(outcome.handle());
		}
		else {
			completeExceptionally(Refusals.explain(task.terms(), outcome.end()));
		}
	}

	/** Whoever completed this future, a lock that it does not hold is not wanted. */
	private void leave(HeldLock lock, AcquisitionTask task) {
		if (!task.outcome().isDone() || task.outcome().join().handle() != lock) {
			task.cancel();
		}
	}

	@Override
	public Executor defaultExecutor() {
		return this.executor;
	}

	@Override
	public <U> CompletableFuture<U> newIncompleteFuture() {
		return new Dependent<>(this.executor);
	}

	/**
	 * What hangs on the promise.
	 *
	 * @param <T> what it gives
	 */
	private static final class Dependent<T> extends CompletableFuture<T> {

		private final Executor executor;

		Dependent(Executor executor) {
			this.executor = executor;
		}

		@Override
		public Executor defaultExecutor() {
			return this.executor;
		}

		@Override
		public <U> CompletableFuture<U> newIncompleteFuture() {
			return new Dependent<>(this.executor);
		}

	}

}

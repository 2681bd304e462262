/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.acquire;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.runtime.environment.Callbacks;

/**
 * The future of a lock, or a future that depends on it. If other code completes the
 * future of a lock, the acquisition is cancelled, and a granted lock is released.
 * Completing a dependent future has no such effect. Thread-safe.
 */
public final class AcquisitionFuture<T> extends CompletableFuture<T> {

	private final Executor executor;

	private AcquisitionFuture(Executor executor) {
		this.executor = executor;
	}

	@SuppressWarnings("FutureReturnValueIgnored") // the dependents throw nothing
	public static AcquisitionFuture<HeldLock> of(AcquisitionTask task, Executor executor) {
		AcquisitionFuture<HeldLock> future = new AcquisitionFuture<>(executor);
		task.announced().whenComplete((outcome, impossible) -> Callbacks.run(() -> complete(future, outcome, task)));
		future.whenComplete((lock, problem) -> leave(lock, task));
		return future;
	}

	private static void complete(AcquisitionFuture<HeldLock> future, AcquisitionTask.Outcome outcome,
			AcquisitionTask task) {
		try {
			future.executor.execute(() -> {
				if (outcome.handle() != null) {
					future.complete(outcome.handle());
				}
				else {
					future.completeExceptionally(Refusals.explain(task.terms(), outcome.end()));
				}
			});
		}
		catch (Throwable ex) {
			// The executor rejected the task: the lock cannot be delivered.
			future.completeExceptionally(ex);
		}
	}

	/**
	 * Cancels the acquisition of a lock if the future did not complete with that lock.
	 */
	private static void leave(HeldLock lock, AcquisitionTask task) {
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
		return new AcquisitionFuture<>(this.executor);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.github.dynamodblock.HeldLock;

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
	static AcquisitionFuture of(AcquireLoop loop, Executor executor) {
		AcquisitionFuture future = new AcquisitionFuture(executor);
		loop.announced().whenComplete((told, impossible) -> Callbacks.run(() -> future.hand(told, loop)));
		future.whenComplete((lock, problem) -> future.leave(lock, loop));
		return future;
	}

	private void hand(AcquireLoop.Told told, AcquireLoop loop) {
		try {
			this.executor.execute(() -> completeWith(told, loop));
		}
		catch (Throwable ex) {
			// Whatever it is, nobody is there to take the lock.
			completeExceptionally(ex);
		}
	}

	private void completeWith(AcquireLoop.Told told, AcquireLoop loop) {
		if (told.handle() != null) {
			complete(told.handle());
		}
		else {
			completeExceptionally(Refusals.explain(loop.terms(), told.end()));
		}
	}

	/** Whoever completed this future, a lock that it does not hold is not wanted. */
	private void leave(HeldLock lock, AcquireLoop loop) {
		if (!loop.told().isDone() || loop.told().join().handle() != lock) {
			loop.cancel();
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

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import io.github.dynamodblock.LockLostException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the caller of a method gets in place of the stage that the method returned: it
 * ends as that one does, once the locks are given back. Thread-safe.
 */
final class LockedFuture extends CompletableFuture<Object> {

	private static final Logger logger = LoggerFactory.getLogger(LockedFuture.class);

	private final CompletionStage<?> work;

	private final CallLocks locks;

	private final LossSignal signal;

	private LockedFuture(CompletionStage<?> work, CallLocks locks, LossSignal signal) {
		this.work = work;
		this.locks = locks;
		this.signal = signal;
	}

	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	static LockedFuture of(CompletionStage<?> work, CallLocks locks, LossSignal signal, Executor executor) {
		LockedFuture future = new LockedFuture(work, locks, signal);
		work.whenComplete((result, failure) -> executor.execute(() -> future.end(result, failure)));
		signal.loss().thenAccept((loss) -> executor.execute(() -> future.lost(loss)));
		return future;
	}

	private void end(@Nullable Object result, @Nullable Throwable failure) {
		this.locks.release(failure);
		LockLostException lost = this.signal.found(this.locks, failure);
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
	 * Cancels the stage that the method returned, too. The locks are given back when that
	 * stage has ended, which it may not do by this.
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
			logger.debug("{} returned a stage that cannot be cancelled: {}", this.locks.definition().location(),
					this.work, ex);
		}
	}

	/** What hangs on it has no work of its own to cancel. */
	@Override
	public <U> CompletableFuture<U> newIncompleteFuture() {
		return new CompletableFuture<>();
	}

}

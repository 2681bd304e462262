/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockNotGrantedException;
import org.jspecify.annotations.Nullable;

/**
 * Calls whose work is done when the stage that the method returned completes. The locks
 * are taken in the caller's thread, before the method begins.
 */
final class FutureCalls {

	private final Executor executor;

	/**
	 * Creates the style.
	 * @param executor where locks are given back, so that whoever completes a stage need
	 * not wait for that
	 */
	FutureCalls(Executor executor) {
		this.executor = executor;
	}

	@Nullable CompletionStage<?> run(LockedCall call) throws Throwable {
		LossSignal signal = new LossSignal(call.definition());
		CallLocks locks;
		try {
			locks = BlockingCalls.acquire(call, signal);
		}
		catch (LockNotGrantedException ex) {
			return answer(call, ex);
		}
		catch (LockException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		CompletionStage<?> work = null;
		Throwable failure = null;
		try {
			work = (CompletionStage<?>) BlockingCalls.body(call, locks, signal);
		}
		catch (Throwable ex) {
			failure = ex;
		}
		if (work == null) {
			// Nothing goes on that a lock could cover.
			BlockingCalls.end(locks, signal, failure);
			return null;
		}
		if (locks.taken().isEmpty()) {
			return joined(work, locks);
		}
		return LockedFuture.of(work, locks, signal, this.executor);
	}

	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	private static CompletionStage<?> joined(CompletionStage<?> work, CallLocks locks) {
		work.whenComplete((result, failure) -> locks.reportOutlived());
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

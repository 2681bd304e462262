/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.LockWaitInterruptedException;
import org.jspecify.annotations.Nullable;

/**
 * Calls whose work is done when the method returns: the caller's thread takes the locks,
 * runs the body and gives the locks back.
 */
final class BlockingCalls {

	private BlockingCalls() {
	}

	static @Nullable Object run(LockedCall call) throws Throwable {
		LossSignal signal = new LossSignal(call.definition());
		CallLocks locks;
		try {
			locks = acquire(call, signal);
		}
		catch (LockNotGrantedException ex) {
			return call.notGranted(ex);
		}
		Object result = null;
		Throwable failure = null;
		try {
			result = body(call, locks, signal);
			UnfinishedResults.report(result, locks);
		}
		catch (Throwable ex) {
			failure = ex;
		}
		end(locks, signal, failure);
		return result;
	}

	/**
	 * Gives the locks back after the body.
	 * @param failure what the body threw, or {@code null}
	 * @throws Throwable the same, or the loss of a lock if the annotation wants that
	 */
	static void end(CallLocks locks, LossSignal signal, @Nullable Throwable failure) throws Throwable {
		locks.release(failure);
		Throwable lost = signal.found(locks, failure);
		if (lost != null) {
			throw lost;
		}
		if (failure != null) {
			throw failure;
		}
	}

	/** Runs the body in this thread. */
	static @Nullable Object body(LockedCall call, CallLocks locks, LossSignal signal) throws Throwable {
		try (LockContext.Scope scope = LockContext.capture().with(call.client(), locks.all()).open();
				InterruptOnLoss watch = InterruptOnLoss.begin(signal)) {
			signal.ensureNotLost();
			return call.proceed(locks.all());
		}
	}

	/**
	 * Takes all locks of a call, but for those that this thread holds already.
	 * @throws LockNotGrantedException if one of them was not granted; then none is held
	 * @throws LockLostException if one of them was lost; likewise
	 */
	static CallLocks acquire(LockedCall call, LossSignal signal) throws InterruptedException {
		WaitLimit limit = new WaitLimit(call);
		List<HeldLock> all = new ArrayList<>();
		List<HeldLock> taken = new ArrayList<>();
		try {
			for (LockKey key : call.keys()) {
				Optional<HeldLock> outer = LockContext.find(call.client(), key);
				if (outer.isPresent()) {
					outer.get().ensureHeld();
					all.add(outer.get());
				}
				else {
					taken.add(acquire(call, key, signal, limit));
					all.add(taken.get(taken.size() - 1));
				}
			}
			ensureAllHeld(all);
			return new CallLocks(call.definition(), all, taken);
		}
		catch (Throwable ex) {
			CallLocks.reversed(taken).forEach((lock) -> UnusedLocks.release(call.client(), call.definition(), lock));
			throw ex;
		}
	}

	/**
	 * While a call waited for one lock, it may have lost another.
	 * @throws LockLostException if that is so
	 */
	static void ensureAllHeld(List<HeldLock> all) {
		if (all.size() > 1) {
			all.forEach(HeldLock::ensureHeld);
		}
	}

	private static HeldLock acquire(LockedCall call, LockKey key, LossSignal signal, WaitLimit limit)
			throws InterruptedException {
		LockClient client = call.client();
		try {
			return MissingResults.require(client.acquire(signal.watch(limit.request(key))), client);
		}
		catch (InterruptedException ex) {
			if (Arrays.stream(call.invocation().getMethod().getExceptionTypes())
				.anyMatch((type) -> type.isAssignableFrom(InterruptedException.class))) {
				throw ex;
			}
			Thread.currentThread().interrupt();
			throw new LockWaitInterruptedException(key, call.definition().location(), ex);
		}
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.util.Optional;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockedFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The body of one call of a {@link LockTemplate}.
 *
 * @param <T> its result
 * @param <E> its checked exception
 * @param client the client that granted the lock
 * @param function what to run
 */
record LockedBody<T extends @Nullable Object, E extends Throwable>(LockClient client, LockedFunction<T, E> function) {

	private static final Logger logger = LoggerFactory.getLogger(LockTemplate.class);

	/** Waits for the lock as long as the request or else the client says. */
	T execute(LockRequest request) throws E {
		Optional<HeldLock> outer = LockContext.find(this.client, request.key());
		return outer.isPresent() ? join(outer.get())
				: run(interruptibly(request.key(), () -> this.client.acquire(request)));
	}

	/** Makes one attempt unless the request says otherwise. */
	LockAttempt<T> executeIfFree(LockRequest request) throws E {
		Optional<HeldLock> outer = LockContext.find(this.client, request.key());
		if (outer.isPresent()) {
			return LockAttempt.ran(join(outer.get()));
		}
		Optional<HeldLock> lock = interruptibly(request.key(), () -> this.client.tryAcquire(request));
		return lock.isPresent() ? LockAttempt.ran(run(lock.get())) : LockAttempt.notRun();
	}

	private <R> R interruptibly(LockKey key, Acquisition<R> acquisition) {
		try {
			return required(acquisition.make());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LockWaitInterruptedException(key, "the body of the LockTemplate", ex);
		}
	}

	/** A mock that is not stubbed returns null. */
	private <R> R required(@Nullable R result) {
		if (result == null) {
			throw new IllegalStateException("The lock client " + this.client.getClass().getName()
					+ " returned null; is it a mock? Stub the method that it calls, or use an in-memory lock client "
					+ "(dynamodb-lock-test)");
		}
		return result;
	}

	/** Runs under a lock that the thread holds already. */
	private T join(HeldLock outer) throws E {
		outer.ensureHeld();
		try (LockContext.Scope scope = LockContext.open(this.client, outer)) {
			return this.function.apply(outer);
		}
	}

	/** Runs under a lock, and releases it. */
	private T run(HeldLock lock) throws E {
		Throwable failure = null;
		try (LockContext.Scope scope = LockContext.open(this.client, lock)) {
			T result = this.function.apply(lock);
			UnfinishedWork.report(result, lock.key());
			return result;
		}
		catch (Throwable ex) {
			failure = ex;
			throw ex;
		}
		finally {
			release(lock, failure);
		}
	}

	/** Never throws: what the body returned or threw is what the caller gets. */
	private static void release(HeldLock lock, @Nullable Throwable failure) {
		try {
			lock.release();
		}
		catch (RuntimeException ex) {
			if (failure != null) {
				failure.addSuppressed(ex);
			}
			logger.warn("Lock '{}' could not be released by the LockTemplate; it is free at the latest one lease after "
					+ "its last heartbeat. {}", lock.key(), ex.getMessage());
			logger.debug("Stack trace of the failed release", ex);
		}
		lock.lossReason()
			.ifPresent((reason) -> logger.info(
					"Lock '{}' (fencing token {}) was lost while a LockTemplate ran code under it: {}", lock.key(),
					lock.fencingToken(), reason));
	}

	/** What gives the lock or throws. */
	@FunctionalInterface
	private interface Acquisition<R> {

		R make() throws InterruptedException;

	}

}

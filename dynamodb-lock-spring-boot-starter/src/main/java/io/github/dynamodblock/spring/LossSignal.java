/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * Reports to one execution the loss of a lock that it acquired, if the execution wants to
 * know. Thread-safe.
 */
final class LossSignal implements LockListener {

	private final boolean wanted;

	private final CompletableFuture<LockLostException> loss = new CompletableFuture<>();

	LossSignal(boolean wanted) {
		this.wanted = wanted;
	}

	boolean isWanted() {
		return this.wanted;
	}

	LockRequest watch(LockRequest request) {
		return this.wanted ? request.listener(this) : request;
	}

	@Override
	public void onLost(HeldLock lock, LossReason reason) {
		this.loss.complete(new LockLostException(lock.key(), reason, lock.fencingToken()));
	}

	CompletableFuture<LockLostException> future() {
		return this.loss;
	}

	/** Throws the first loss, if there is one. Called before the work starts. */
	void ensureNone() {
		LockLostException lost = this.loss.getNow(null);
		if (lost != null) {
			throw lost;
		}
	}

	/** Returns the first loss, with the work's exception added as suppressed. */
	@Nullable LockLostException find(List<HeldLock> acquired, @Nullable Throwable failure) {
		if (!this.wanted) {
			return null;
		}
		// The handle knows about a loss before the listener is notified.
		acquired.forEach((lock) -> lock.lossReason().ifPresent((reason) -> onLost(lock, reason)));
		LockLostException found = this.loss.getNow(null);
		if (found != null && failure != null && failure != found) {
			found.addSuppressed(failure);
		}
		return found;
	}

	/** Interrupts the current thread on a loss, until this thread closes the result. */
	@SuppressWarnings("FutureReturnValueIgnored") // an interrupt throws nothing
	Interruption interruptCurrentThread() {
		Interruption interruption = new Interruption();
		this.loss.thenRun(interruption::interrupt);
		return interruption;
	}

	/**
	 * Interrupts the thread that runs the work, but never after the work has ended.
	 */
	static final class Interruption implements AutoCloseable {

		private final Thread thread = Thread.currentThread();

		private boolean ended;

		private boolean interrupted;

		private synchronized void interrupt() {
			if (!this.ended) {
				this.interrupted = true;
				this.thread.interrupt();
			}
		}

		/**
		 * Ends the watch. An interrupt that the work did not notice is cleared, so that
		 * it does not affect what the thread does next.
		 */
		@Override
		public synchronized void close() {
			this.ended = true;
			if (this.interrupted) {
				Thread.interrupted();
			}
		}

	}

}

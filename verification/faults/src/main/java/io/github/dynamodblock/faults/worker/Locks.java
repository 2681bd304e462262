/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import io.github.dynamodblock.HeldLock;
import org.jspecify.annotations.Nullable;

/**
 * A lock client of whatever kind, in the same words. Thread-safe.
 */
interface Locks extends AutoCloseable {

	/**
	 * Asks for a lock.
	 * @param attempt which one, and how
	 * @param losses told when the lock is lost
	 * @return the lock, or {@code null} if others have it
	 * @throws InterruptedException if the thread is interrupted
	 * @throws LockingFailedException if faults explain why it did not come to an answer
	 */
	@Nullable Held acquire(Attempt attempt, Losses losses) throws InterruptedException, LockingFailedException;

	@Override
	void close();

	/**
	 * A lock that was granted. Thread-safe.
	 */
	interface Held {

		/**
		 * Which lock it is.
		 * @param asked the lock that was asked for; of a semaphore, any slot is granted
		 */
		default int lock(int asked) {
			return asked;
		}

		/** The fencing token, or {@code null} if there are none. */
		@Nullable Long token();

		boolean isHeld();

		/**
		 * The lock on which writes have a condition, or {@code null} if they have none.
		 */
		default @Nullable HeldLock guard() {
			return null;
		}

		/**
		 * Gives the lock back.
		 * @return what the lock client says to that
		 * @throws LockingFailedException if faults explain why that did not go well
		 */
		String release() throws LockingFailedException;

	}

	/**
	 * Told of a loss.
	 */
	@FunctionalInterface
	interface Losses {

		/**
		 * The lock was lost.
		 * @param reason why
		 * @param deadline when its lease ended, as last known; zero if that is not known
		 */
		void lost(String reason, long deadline);

	}

	/**
	 * A call of the lock client failed as faults make it fail.
	 */
	final class LockingFailedException extends Exception {

		private final String kind;

		LockingFailedException(Throwable cause) {
			super(cause);
			this.kind = cause.getClass().getSimpleName();
		}

		/** The name of the exception that the lock client threw. */
		String kind() {
			return this.kind;
		}

	}

}

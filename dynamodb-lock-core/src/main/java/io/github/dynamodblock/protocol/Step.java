/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import org.jspecify.annotations.Nullable;

/**
 * What to do next for an {@link Operation}: a call, a wait, or nothing because it has
 * ended.
 */
public sealed interface Step {

	sealed interface Call extends Step {

		/** The longest time that a call may take. */
		long LONGEST_NANOS = 5_000_000_000L;

		/** Returns after how long the call counts as unanswered. */
		long limitNanos();

	}

	record Write(LockWrite write, long limitNanos) implements Call {
	}

	/**
	 * Read the lock.
	 *
	 * @param consistent whether the read must see every write before it
	 */
	record Read(LockKey key, boolean consistent, long limitNanos) implements Call {
	}

	/** Read the lock, and let its holder know that another client waits. */
	record Mark(LockKey key, String waiting, long limitNanos) implements Call {
	}

	/**
	 * Commit a transaction of the application if a lock is held.
	 *
	 * @param transaction read only by the store, which recognizes a repetition by its
	 * identity
	 */
	record Transact(Guard guard, Object transaction, long limitNanos) implements Call {
	}

	/**
	 * Wait until a time; {@link Operation#wake} then gives the next step.
	 *
	 * @param untilObserverNanos the time, on {@link ClockReading#observerNanos()}
	 * @param holder the lock of another owner for which an acquisition waits, or
	 * {@code null}
	 */
	record Wait(long untilObserverNanos, @Nullable LockRecord holder) implements Step {

		/** Creates a wait that only time ends. */
		public Wait(long untilObserverNanos) {
			this(untilObserverNanos, null);
		}

	}

	sealed interface End extends Step {

	}

	/**
	 * The lock is held.
	 *
	 * @param sentAt the time before the claim was sent, on
	 * {@link ClockReading#holderNanos()}
	 * @param contended whether the claim's answer showed that another client waits
	 */
	record Granted(LockRecord record, long sentAt, boolean contended) implements End {
	}

	/**
	 * The lock is held, or the caller has left. Claims may still need a cleanup.
	 *
	 * @param holder the lock as last read, or {@code null}
	 * @param leaseRemainingNanos how long until the observed lease ends, or {@code null}
	 */
	record Denied(@Nullable LockRecord holder, @Nullable Long leaseRemainingNanos) implements End {
	}

	/** The lock has no item, but the request requires one. */
	record Absent() implements End {
	}

	/**
	 * No other client holds the lock, but its item does not meet the request's condition.
	 *
	 * @param found the lock on which DynamoDB evaluated the condition, or {@code null} if
	 * it has no item
	 */
	record ConditionNotMet(@Nullable LockRecord found) implements End {
	}

	/** The operation failed. Claims may still need a cleanup. */
	record Failed(LockException failure) implements End {
	}

	/**
	 * A release has ended.
	 *
	 * @param found the lock that was found instead of the one to release, or {@code null}
	 * @param contended whether another client was seen to wait for the lock
	 */
	record Released(ReleaseOutcome outcome, @Nullable LockRecord found, boolean contended) implements End {

		/** Returns the end of a release that released the lock. */
		public static Released freed(boolean contended) {
			return new Released(ReleaseOutcome.RELEASED, null, contended);
		}

		/** Returns the end of a release that found another lock, or no item. */
		public static Released not(@Nullable LockRecord found) {
			boolean free = found == null || found.isReleased();
			return new Released(free ? ReleaseOutcome.ALREADY_FREE : ReleaseOutcome.HELD_BY_ANOTHER, found, false);
		}

	}

	/** A lock was renewed by its token. This is its next token. */
	record Renewed(LockToken token) implements End {
	}

	/** A lock was read; {@code null} if it has no item. */
	record Found(@Nullable LockRecord record) implements End {
	}

	/** A lock's item was changed to this record. */
	record Changed(LockRecord record) implements End {
	}

	/** A lock is lost. Its guarded write was not committed. */
	record Lost(LossReason reason) implements End {
	}

	record Committed(Object response) implements End {
	}

	/**
	 * A guarded write was not committed and will not be. The reason is not the lock's
	 * state, but for example a condition of the application.
	 */
	record Cancelled(RuntimeException cancellation) implements End {
	}

	/** The lock is no longer held. Its guarded write was not sent again. */
	record NotHeld() implements End {
	}

	/** Nothing is left to do. */
	record Settled() implements End {
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockRecord;
import org.jspecify.annotations.Nullable;

/** The result of a call. */
public sealed interface Answer {

	/**
	 * Returns the lock that a refusal or a read found, or {@code null} if there is none.
	 */
	default @Nullable LockRecord shown() {
		if (this instanceof Refused refused) {
			return refused.record();
		}
		return (this instanceof Found found) ? found.record() : null;
	}

	/** Returns why a call had no usable answer, or {@code null} if it had one. */
	default @Nullable Throwable cause() {
		return null;
	}

	/**
	 * The write was applied.
	 *
	 * @param record the lock as a {@link LockWrite.Claim} or a {@link LockWrite.Change}
	 * left it; {@code null} for other writes
	 * @param wantedBy the owner that last left a {@link Step.Mark}, or {@code null};
	 * renewals and releases remove the mark
	 */
	record Applied(@Nullable LockRecord record, @Nullable String wantedBy) implements Answer {

		/** The write was applied, and no client was seen to wait. */
		public Applied(@Nullable LockRecord record) {
			this(record, null);
		}

		/** Returns whether another owner than the given one waits for the lock. */
		public boolean isContended(String ownerName) {
			return this.wantedBy != null && !this.wantedBy.equals(ownerName);
		}

	}

	/**
	 * The write's condition did not hold; nothing was changed. Contains the lock as it
	 * was found, unless the answer carried none.
	 */
	record Refused(@Nullable LockRecord record) implements Answer {
	}

	/** A read's result; {@code null} if the lock has no item. */
	record Found(@Nullable LockRecord record) implements Answer {
	}

	/** The call had no usable answer, and may be retried. */
	sealed interface Problem extends Answer permits Unknown, NotApplied {

		@Override
		Throwable cause();

		/**
		 * Returns the message of the client's own exception, or another exception as
		 * text.
		 */
		default String description() {
			return (cause() instanceof LockException) ? String.valueOf(cause().getMessage()) : cause().toString();
		}

		/** Returns the exception of the SDK, if there is one. */
		default Throwable origin() {
			Throwable explained = (cause() instanceof LockException) ? cause().getCause() : null;
			return (explained != null) ? explained : cause();
		}

	}

	/** The call may have had an effect, or may still have one. */
	record Unknown(Throwable cause) implements Problem {
	}

	/**
	 * The call had no effect and will have none: DynamoDB had no capacity for it, or it
	 * was not sent. It may be retried, and nothing has to be cleaned up.
	 */
	record NotApplied(Throwable cause) implements Problem {
	}

	/**
	 * The call had no effect and will have none. The reason is lasting, and is not the
	 * lock's state.
	 */
	record Failed(LockException failure) implements Answer {

		@Override
		public LockException cause() {
			return this.failure;
		}

	}

	record Committed(Object response) implements Answer {
	}

	/**
	 * A transaction was cancelled, because a condition of the application did not hold.
	 */
	record Cancelled(RuntimeException cancellation) implements Answer {
	}

}

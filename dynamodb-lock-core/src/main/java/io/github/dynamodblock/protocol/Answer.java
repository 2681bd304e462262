/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockRecord;
import org.jspecify.annotations.Nullable;

/**
 * What came of a call.
 */
public sealed interface Answer {

	/**
	 * Hands this answer to the method for its kind.
	 * @param handler one method per kind
	 * @param <R> what the handler gives
	 * @return what the method gave
	 */
	<R> R accept(Handler<R> handler);

	/**
	 * The lock as a refusal or a read shows it.
	 * @return the lock, or {@code null} if the answer does not show it
	 */
	default @Nullable LockRecord shown() {
		return null;
	}

	/**
	 * The write was applied.
	 *
	 * @param record the lock as it is now, for a {@link LockWrite.Claim}; {@code null}
	 * for other writes
	 */
	record Applied(@Nullable LockRecord record) implements Answer {

		@Override
		public <R> R accept(Handler<R> handler) {
			return handler.applied(this);
		}

	}

	/**
	 * The write's condition did not hold; nothing was changed.
	 *
	 * @param record the lock as it was found, or {@code null} if the answer carried none
	 */
	record Refused(@Nullable LockRecord record) implements Answer {

		@Override
		public @Nullable LockRecord shown() {
			return this.record;
		}

		@Override
		public <R> R accept(Handler<R> handler) {
			return handler.refused(this);
		}

	}

	/**
	 * A read's result.
	 *
	 * @param record the lock, or {@code null} if it has no item
	 */
	record Found(@Nullable LockRecord record) implements Answer {

		@Override
		public @Nullable LockRecord shown() {
			return this.record;
		}

		@Override
		public <R> R accept(Handler<R> handler) {
			return handler.found(this);
		}

	}

	/**
	 * Nobody knows whether the call had an effect, or will have one later.
	 *
	 * @param cause what went wrong
	 */
	record Unknown(Throwable cause) implements Answer {

		/**
		 * What went wrong, in words.
		 * @return the message of what was explained, else the exception as text
		 */
		public String description() {
			return (this.cause instanceof LockException) ? String.valueOf(this.cause.getMessage())
					: this.cause.toString();
		}

		/**
		 * What was thrown in the first place.
		 * @return the exception of the SDK, if there is one
		 */
		public Throwable origin() {
			Throwable explained = (this.cause instanceof LockException) ? this.cause.getCause() : null;
			return (explained != null) ? explained : this.cause;
		}

		@Override
		public <R> R accept(Handler<R> handler) {
			return handler.unknown(this);
		}

	}

	/**
	 * The call had no effect and will have none, for a reason that is not the lock's
	 * state.
	 *
	 * @param failure what to tell the caller
	 */
	record Failed(LockException failure) implements Answer {

		@Override
		public <R> R accept(Handler<R> handler) {
			return handler.failed(this);
		}

	}

	/**
	 * One method per kind of answer.
	 *
	 * @param <R> what the methods give
	 */
	interface Handler<R> {

		/**
		 * The write was applied.
		 * @param answer the answer
		 * @return what follows
		 */
		R applied(Applied answer);

		/**
		 * The write was refused.
		 * @param answer the answer
		 * @return what follows
		 */
		R refused(Refused answer);

		/**
		 * The read gave this.
		 * @param answer the answer
		 * @return what follows
		 */
		R found(Found answer);

		/**
		 * The effect is not known.
		 * @param answer the answer
		 * @return what follows
		 */
		R unknown(Unknown answer);

		/**
		 * The call failed for good.
		 * @param answer the answer
		 * @return what follows
		 */
		R failed(Failed answer);

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.Optional;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.ServiceTime;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;

/**
 * Sends single calls to the lock table. A call blocks until it is answered or its time
 * limit ends. It never throws: a failure is an answer, too. Thread-safe.
 */
public interface LockStore {

	/**
	 * Sends a call of an operation.
	 * @param call the call, with its time limit
	 * @return the answer
	 */
	default Answer send(Step.Call call) {
		if (call instanceof Step.Write write) {
			return write(write.write(), call.limitNanos());
		}
		if (call instanceof Step.Transact transact) {
			return transact(transact);
		}
		Step.Read read = (Step.Read) call;
		return read(read.key(), read.consistent(), call.limitNanos());
	}

	/**
	 * Sends one conditional write.
	 * @param write the write
	 * @param limitNanos the time limit of the call in nanoseconds, positive
	 * @return {@link Answer.Applied}, {@link Answer.Refused}, {@link Answer.Unknown} or
	 * {@link Answer.Failed}
	 */
	Answer write(LockWrite write, long limitNanos);

	/**
	 * Reads one lock.
	 * @param key the lock
	 * @param consistent whether the read is strongly consistent
	 * @param limitNanos the time limit of the call in nanoseconds, positive
	 * @return {@link Answer.Found}, {@link Answer.Unknown} or {@link Answer.Failed}
	 */
	Answer read(LockKey key, boolean consistent, long limitNanos);

	/**
	 * Commits a transaction of the application if a lock is held. Sending the same
	 * transaction again has no second effect.
	 * @param transact the transaction, and the condition on the lock
	 * @return {@link Answer.Committed}; {@link Answer.Refused} with what was found if the
	 * lock is not held; {@link Answer.Cancelled} or {@link Answer.Contended} if it is,
	 * and nothing was committed; {@link Answer.Unknown} or {@link Answer.Failed}
	 */
	Answer transact(Step.Transact transact);

	/**
	 * Reads one page of a listing.
	 * @param request the page
	 * @param limitNanos the time limit of the call in nanoseconds, positive
	 * @return {@link PageAnswer.Page} or {@link PageAnswer.Failed}
	 */
	PageAnswer list(PageRequest request, long limitNanos);

	/**
	 * Returns the service's time now, by its last answer, without a call. Decides nothing
	 * about locks.
	 * @return the time; empty if no answer carried one
	 */
	default Optional<ServiceTime> serviceTime() {
		return Optional.empty();
	}

}

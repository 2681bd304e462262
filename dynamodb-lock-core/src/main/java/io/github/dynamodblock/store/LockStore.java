/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.LockWrite;

/**
 * Sends single calls to the lock table. A call blocks until it is answered or its time
 * limit ends. It never throws: a failure is an answer, too. Thread-safe.
 */
public interface LockStore {

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
	 * Reads one page of a listing.
	 * @param request the page
	 * @param limitNanos the time limit of the call in nanoseconds, positive
	 * @return {@link PageAnswer.Page} or {@link PageAnswer.Failed}
	 */
	PageAnswer list(PageRequest request, long limitNanos);

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.LockWrite;

/**
 * Carries out single calls on the lock table. A call blocks until it is answered or its
 * limit is over, and never throws: whatever goes wrong is an answer. Thread-safe.
 */
public interface LockStore {

	/**
	 * Carries out one conditional write.
	 * @param write the write
	 * @param limitNanos after how many nanoseconds it counts as unanswered, positive
	 * @return {@link Answer.Applied}, {@link Answer.Refused}, {@link Answer.Unknown} or
	 * {@link Answer.Failed}
	 */
	Answer write(LockWrite write, long limitNanos);

	/**
	 * Reads one lock.
	 * @param key the lock
	 * @param consistent whether the read must see every write before it
	 * @param limitNanos after how many nanoseconds it counts as unanswered, positive
	 * @return {@link Answer.Found}, {@link Answer.Unknown} or {@link Answer.Failed}
	 */
	Answer read(LockKey key, boolean consistent, long limitNanos);

	/**
	 * Reads one page of a listing.
	 * @param request the page
	 * @param limitNanos after how many nanoseconds it counts as unanswered, positive
	 * @return {@link PageAnswer.Page} or {@link PageAnswer.Failed}
	 */
	PageAnswer list(PageRequest request, long limitNanos);

}

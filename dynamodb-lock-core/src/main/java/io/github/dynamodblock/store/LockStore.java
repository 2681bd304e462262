/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.function.Consumer;

import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.ServiceTime;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;

/**
 * Sends single calls to the lock table. A call blocks until it is answered or its time
 * limit is over. It does not throw: a failure is an answer, too. Thread-safe.
 */
public interface LockStore {

	/**
	 * Sends a call of an operation, once. A failed call is answered with
	 * {@link Answer.Unknown} if it may have had an effect, with {@link Answer.NotApplied}
	 * if it had none and may be retried, and with {@link Answer.Failed} if it had none
	 * and would fail again. Other answers are:
	 * <ul>
	 * <li>to a {@link Step.Write}: {@link Answer.Applied} or {@link Answer.Refused}</li>
	 * <li>to a {@link Step.Read} or {@link Step.Mark}: {@link Answer.Found}</li>
	 * <li>to a {@link Step.Transact}, which takes effect only once even if it is sent
	 * again: {@link Answer.Committed}; {@link Answer.Refused}, with the record that was
	 * found, if the lock is not held; {@link Answer.Cancelled} if a condition of the
	 * application is not met; {@link Answer.NotApplied} if another write was in its
	 * way</li>
	 * </ul>
	 */
	Answer send(Step.Call call);

	/**
	 * Lists locks page by page. If a page cannot be read, throws a {@code LockException},
	 * and reads that page again next time.
	 * @param openCheck throws if the client is closed; called before each call
	 * @param slots runs the reading of each page in a call slot, and returns when it has
	 * ended
	 * @return the locks of each page, which can be empty; not thread-safe
	 */
	Spliterator<List<LockRecord>> list(ListRequest request, Runnable openCheck, Consumer<Runnable> slots);

	/**
	 * Returns DynamoDB's present time, computed from its answers without a call, or empty
	 * if no answer contained a date.
	 */
	default Optional<ServiceTime> serviceTime() {
		return Optional.empty();
	}

}

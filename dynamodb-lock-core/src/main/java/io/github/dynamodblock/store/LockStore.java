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
 * limit ends. It does not throw: a failure is an answer, too. Thread-safe.
 */
public interface LockStore {

	/**
	 * Sends a call of an operation, once. The answer is {@link Answer.Unknown} if the
	 * call may have had an effect; {@link Answer.NotApplied} if it had none and may be
	 * repeated; {@link Answer.Failed} if it had none and would fail again; or else:
	 * <ul>
	 * <li>of a {@link Step.Write}: {@link Answer.Applied} or {@link Answer.Refused};</li>
	 * <li>of a {@link Step.Read}: {@link Answer.Found};</li>
	 * <li>of a {@link Step.Transact}, which has no second effect if it is sent again:
	 * {@link Answer.Committed}; {@link Answer.Refused} with what was found if the lock is
	 * not held; {@link Answer.Cancelled}, or {@link Answer.NotApplied} if another write
	 * was in its way, if it is, and nothing was committed.</li>
	 * </ul>
	 */
	Answer send(Step.Call call);

	/**
	 * Lists locks page by page. Unlike an answer, a page that cannot be read is thrown as
	 * a {@code LockException}, and is read again next time.
	 * @param openCheck throws if the client is closed; called before each call
	 * @param slots runs the reading of each page, and returns when it has ended
	 * @return the locks of each page, which can be empty; not thread-safe
	 */
	Spliterator<List<LockRecord>> list(ListRequest request, Runnable openCheck, Consumer<Runnable> slots);

	/**
	 * Returns the service's time now, by its answers, without a call; empty if no answer
	 * carried one.
	 */
	default Optional<ServiceTime> serviceTime() {
		return Optional.empty();
	}

}

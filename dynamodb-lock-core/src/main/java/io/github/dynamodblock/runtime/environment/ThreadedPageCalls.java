/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.util.concurrent.Executor;
import java.util.function.Consumer;

import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.store.LockStore;
import io.github.dynamodblock.store.PageAnswer;
import io.github.dynamodblock.store.PageRequest;

/**
 * Calls for pages that block a thread of an executor each.
 */
final class ThreadedPageCalls implements PageCalls {

	private final LockStore store;

	private final Executor executor;

	ThreadedPageCalls(LockStore store, Executor executor) {
		this.store = store;
		this.executor = executor;
	}

	@Override
	public void send(PageRequest request, long limitNanos, Consumer<PageAnswer> answered) {
		try {
			this.executor.execute(() -> answered.accept(answer(request, limitNanos)));
		}
		catch (Throwable ex) {
			// The client is closed, or no thread could be made.
			answered.accept(failed(ex));
		}
	}

	private PageAnswer answer(PageRequest request, long limitNanos) {
		try {
			return this.store.list(request, limitNanos);
		}
		catch (Throwable ex) {
			// The caller must not wait for ever for a defect of ours.
			return failed(ex);
		}
	}

	private static PageAnswer failed(Throwable cause) {
		return new PageAnswer.Failed(new LockStoreException("Locks could not be listed: " + cause, cause));
	}

}

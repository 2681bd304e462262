/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.store.LockStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends each call on a thread of an executor, which it blocks.
 */
final class ThreadedStoreCalls implements StoreCalls {

	private static final Logger logger = LoggerFactory.getLogger(ThreadedStoreCalls.class);

	private final LockStore store;

	private final Executor executor;

	ThreadedStoreCalls(LockStore store, Executor executor) {
		this.store = store;
		this.executor = executor;
	}

	@Override
	public void send(Source source, Consumer<Answer> answered) {
		try {
			this.executor.execute(() -> call(source, answered));
		}
		catch (RejectedExecutionException ex) {
			answered.accept(new Answer.Unknown(new IllegalStateException("the lock client is closed", ex)));
		}
		catch (Throwable ex) {
			// No thread could be made; the next attempt may have one.
			answered.accept(new Answer.Unknown(ex));
		}
	}

	private void call(Source source, Consumer<Answer> answered) {
		try {
			Step.Call call = source.next();
			if (call != null) {
				answered.accept(answer(call));
			}
		}
		catch (Throwable ex) {
			// A pool would end its thread without a report.
			logger.error("A call of the lock client failed unexpectedly: please report this", ex);
		}
	}

	private Answer answer(Step.Call call) {
		try {
			return this.store.send(call);
		}
		catch (Throwable ex) {
			// The call may have been applied nevertheless.
			return new Answer.Unknown(ex);
		}
	}

}

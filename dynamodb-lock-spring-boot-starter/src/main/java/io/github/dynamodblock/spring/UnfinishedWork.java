/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

import io.github.dynamodblock.LockKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.ReactiveAdapterRegistry;

/**
 * Notices that the body of a template returned work that goes on without the lock.
 */
final class UnfinishedWork {

	private static final Logger logger = LoggerFactory.getLogger(UnfinishedWork.class);

	private UnfinishedWork() {
	}

	/**
	 * Says so if a result is not there yet.
	 * @param result what the body returned
	 * @param key the lock, which ends now
	 */
	static void report(@Nullable Object result, LockKey key) {
		if (result != null && isUnfinished(result)) {
			logger.warn(
					"The body of a LockTemplate returned a {} whose work is not done, and lock '{}' does not "
							+ "cover what is left of it. Wait for it inside the body",
					result.getClass().getName(), key);
		}
	}

	private static boolean isUnfinished(Object result) {
		if (result instanceof Future<?> future) {
			return !future.isDone();
		}
		if (result instanceof CompletionStage<?> stage) {
			return !stage.toCompletableFuture().isDone();
		}
		return result instanceof Flow.Publisher<?> || result instanceof BaseStream<?, ?>
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(result.getClass()) != null;
	}

}

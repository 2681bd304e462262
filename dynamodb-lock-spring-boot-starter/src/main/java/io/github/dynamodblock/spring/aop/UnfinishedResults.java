/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that a method which declares an {@code Object} or a type variable returned work
 * that goes on: it was locked until it returned, and the work is not. The result is the
 * caller's all the same.
 */
final class UnfinishedResults {

	private static final Logger logger = LoggerFactory.getLogger(UnfinishedResults.class);

	private static final ClassValue<Boolean> ASYNCHRONOUS = new ClassValue<>() {
		@Override
		protected Boolean computeValue(Class<?> type) {
			return AsynchronousMethods.isAsynchronous(type);
		}
	};

	private UnfinishedResults() {
	}

	/**
	 * Says so if a result is not there yet.
	 * @param result what the body returned, while its locks were held
	 * @param locks the locks, which end with the call
	 */
	static void report(@Nullable Object result, CallLocks locks) {
		if (result != null && !locks.taken().isEmpty() && isUnfinished(result)) {
			logger.warn(
					"{} returned a {} whose work is not done, and lock '{}' does not cover what is left of it: the lock "
							+ "ends when the method returns. Declare the asynchronous type as the method's return type",
					locks.definition().location(), result.getClass().getName(), locks.taken().get(0).key());
		}
	}

	private static boolean isUnfinished(Object result) {
		if (result instanceof Future<?> future) {
			return !future.isDone();
		}
		if (result instanceof CompletionStage<?> stage) {
			return !stage.toCompletableFuture().isDone();
		}
		return ASYNCHRONOUS.get(result.getClass());
	}

}

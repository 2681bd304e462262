/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what no lock client returns, but mocks that are not stubbed do.
 */
final class MissingResults {

	private MissingResults() {
	}

	/**
	 * Requires a result.
	 * @param result what the client returned
	 * @param client the client
	 * @throws IllegalStateException if it returned {@code null}
	 */
	static <T> T require(@Nullable T result, LockClient client) {
		if (result == null) {
			throw new IllegalStateException("The lock client " + client.getClass().getName()
					+ " returned null; is it a mock? Stub acquire(LockRequest), or acquireAsync(LockRequest, Executor) for "
					+ "a reactive method, or use InMemoryDynamoDb of dynamodb-lock-test");
		}
		return result;
	}

	/**
	 * Requires a future, and a lock in it if it is complete.
	 * @param future what the client returned
	 * @param client the client
	 * @throws IllegalStateException if one of them is {@code null}
	 */
	static CompletableFuture<HeldLock> requireFuture(@Nullable CompletableFuture<HeldLock> future, LockClient client) {
		CompletableFuture<HeldLock> given = require(future, client);
		if (given.isDone() && !given.isCompletedExceptionally()) {
			require(given.join(), client);
		}
		return given;
	}

}

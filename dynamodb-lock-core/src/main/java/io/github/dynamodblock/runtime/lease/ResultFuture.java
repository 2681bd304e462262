/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.lease;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.github.dynamodblock.protocol.lease.Result;
import org.jspecify.annotations.Nullable;

/**
 * A result that the protocol gives, and a caller waits for.
 *
 * @param <T> the type of the result
 */
public final class ResultFuture<T> extends CompletableFuture<T> implements Result<T> {

	private final @Nullable Executor thread;

	/** A result for which the client makes the calls. */
	public ResultFuture() {
		this(null);
	}

	/**
	 * A result for which its caller makes the calls.
	 * @param thread the caller's, or {@code null} for the client's
	 */
	public ResultFuture(@Nullable Executor thread) {
		this.thread = thread;
	}

	/** Returns the thread that makes the calls for a result, if its caller does. */
	public static @Nullable Executor thread(@Nullable Result<?> result) {
		return (result instanceof ResultFuture<?> future) ? future.thread : null;
	}

	/** Returns the future of a result that this client waits for. */
	public static <T> CompletableFuture<T> of(Result<T> result) {
		return (ResultFuture<T>) result;
	}

}

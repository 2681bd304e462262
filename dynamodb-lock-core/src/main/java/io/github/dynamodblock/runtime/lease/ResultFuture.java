/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.lease;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.github.dynamodblock.protocol.lease.Result;
import org.jspecify.annotations.Nullable;

/** A result of the protocol for which a caller waits. */
public final class ResultFuture<T> extends CompletableFuture<T> implements Result<T> {

	private final @Nullable Executor thread;

	/** Creates a result for which the client's threads make the calls. */
	public ResultFuture() {
		this(null);
	}

	/**
	 * Creates a result for which its caller makes the calls.
	 * @param thread the caller's thread, or {@code null} for the client's threads
	 */
	public ResultFuture(@Nullable Executor thread) {
		this.thread = thread;
	}

	/**
	 * Returns the thread of the caller that makes the calls for a result, or
	 * {@code null}.
	 */
	public static @Nullable Executor thread(@Nullable Result<?> result) {
		return (result instanceof ResultFuture<?> future) ? future.thread : null;
	}

	public static <T> CompletableFuture<T> of(Result<T> result) {
		return (ResultFuture<T>) result;
	}

}

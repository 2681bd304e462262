/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

/** A result that a caller may wait for. {@code CompletableFuture} has these methods. */
public interface Result<T> {

	/** Gives the result, unless there is one. */
	boolean complete(T result);

	/** Gives a failure as the result, unless there is one. */
	boolean completeExceptionally(Throwable failure);

}

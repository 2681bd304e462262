/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

/** A result that a caller may wait for. {@code CompletableFuture} has these methods. */
public interface Result<T> {

	boolean complete(T result);

	boolean completeExceptionally(Throwable failure);

}

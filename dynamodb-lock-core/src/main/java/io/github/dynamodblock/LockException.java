/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import org.jspecify.annotations.Nullable;

/**
 * Base class of all exceptions about locks. The message states what failed, on which
 * lock, why, and how to fix it if that is known. Invalid arguments are reported with
 * {@link IllegalArgumentException}, an interrupt with {@link InterruptedException}.
 *
 * <pre>{@code
 * try (HeldLock lock = client.acquire("orders-42")) {
 *     work(lock);
 * }
 * catch (LockException ex) {
 *     logger.warn("The order is postponed: {}", ex.getMessage());
 * }
 * }</pre>
 */
public abstract class LockException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	LockException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

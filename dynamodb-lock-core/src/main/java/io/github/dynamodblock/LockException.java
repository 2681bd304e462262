/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import org.jspecify.annotations.Nullable;

/**
 * The root of everything that can go wrong with a lock, other than a bad argument
 * ({@link IllegalArgumentException}) and an interrupt ({@link InterruptedException}). The
 * message says what was tried, what came of it and, where somebody can mend it, how.
 *
 * <pre>{@code
 * try (HeldLock lock = client.acquire("orders-42")) {
 *     work(lock);
 * }
 * catch (LockException ex) {
 *     logger.warn("The order has to wait: {}", ex.getMessage());
 * }
 * }</pre>
 */
public abstract class LockException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	LockException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

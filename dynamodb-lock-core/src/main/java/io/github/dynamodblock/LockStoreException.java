/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import org.jspecify.annotations.Nullable;

/**
 * DynamoDB refused a request for a reason of its own, or gave no answer in time. The
 * exception of the SDK is the cause.
 *
 * <pre>{@code
 * try {
 *     work(client.acquire("orders-42"));
 * }
 * catch (LockStoreException ex) {
 *     logger.error("DynamoDB says: {}", ex.getMessage(), ex.getCause());
 * }
 * }</pre>
 */
public final class LockStoreException extends LockException {

	private static final long serialVersionUID = 1L;

	/**
	 * @param message what was tried and what came of it
	 * @param cause the exception of the SDK, or {@code null} if there was no answer at
	 * all
	 */
	public LockStoreException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

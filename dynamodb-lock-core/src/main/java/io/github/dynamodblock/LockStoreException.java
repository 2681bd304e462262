/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if DynamoDB rejected a call, or did not answer in time. The cause is the SDK's
 * exception.
 *
 * <pre>{@code
 * try {
 *     work(client.acquire("orders-42"));
 * }
 * catch (LockStoreException ex) {
 *     logger.error("DynamoDB failed: {}", ex.getMessage(), ex.getCause());
 * }
 * }</pre>
 */
public final class LockStoreException extends LockException {

	private static final long serialVersionUID = 1L;

	public LockStoreException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

/**
 * Thrown if the client was closed before or during a call. The call holds no lock.
 *
 * <pre>{@code
 * try {
 *     work(client.acquire("orders-42"));
 * }
 * catch (LockClientClosedException ex) {
 *     logger.info("Shutting down: {}", ex.getMessage());
 * }
 * }</pre>
 */
public final class LockClientClosedException extends LockException {

	private static final long serialVersionUID = 1L;

	private final String ownerName;

	public LockClientClosedException(String ownerName) {
		super("The lock client of owner '" + LogText.of(ownerName) + "' is closed", null);
		this.ownerName = ownerName;
	}

	public String ownerName() {
		return this.ownerName;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

/**
 * Thrown if the client was closed, or closed for a checkpoint, before or during a call.
 * The call holds no lock.
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
		this(ownerName, "is closed");
	}

	private LockClientClosedException(String ownerName, String problem) {
		super("The lock client of owner '" + LogText.of(ownerName) + "' " + problem, null);
		this.ownerName = ownerName;
	}

	/**
	 * Returns the exception for a call after {@link LockClient#beforeCheckpoint()}.
	 */
	public static LockClientClosedException forCheckpoint(String ownerName) {
		return new LockClientClosedException(ownerName,
				"was closed for a checkpoint; after the restore, call LockClient.afterRestore() to acquire locks again");
	}

	public String ownerName() {
		return this.ownerName;
	}

}

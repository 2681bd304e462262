/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

/**
 * An option of a lock client, a request or the lock table cannot have its value, alone or
 * beside the others.
 *
 * <pre>{@code
 * try {
 *     client.acquire(LockRequest.of("orders-42").leaseDuration(Duration.ZERO));
 * }
 * catch (InvalidLockOptionException ex) {
 *     logger.info("Correct {}: {}", ex.option(), ex.getMessage());
 * }
 * }</pre>
 */
public final class InvalidLockOptionException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final String option;

	/**
	 * Describes the option.
	 * @param option the method that sets it, such as {@code leaseDuration}
	 * @param message the value, why it cannot work, and which values can
	 */
	public InvalidLockOptionException(String option, String message) {
		super(message);
		this.option = option;
	}

	/**
	 * {@return the name of the method that sets the option}
	 */
	public String option() {
		return this.option;
	}

}

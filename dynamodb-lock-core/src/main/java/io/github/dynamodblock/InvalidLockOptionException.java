/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

/**
 * Thrown if an option of a lock client, a request or the lock table is invalid, by itself
 * or in combination with other options.
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
	 * @param message the value, why it is invalid, and which values are valid
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

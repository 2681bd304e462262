/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * Thrown at startup if locks cannot be set up, because the lock table is missing or
 * unsuitable, DynamoDB does not answer or denies access, or no DynamoDbClient can be
 * created.
 *
 * <pre>{@code
 * catch (LockSetupException ex) {
 *     System.err.println(ex.description() + " " + ex.action());
 * }
 * }</pre>
 */
public final class LockSetupException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String description;

	private final String action;

	/**
	 * Describes what failed startup.
	 * @param description what is wrong
	 * @param action what to do
	 * @param cause the exception of the lock client or the SDK, or {@code null}
	 */
	public LockSetupException(String description, String action, @Nullable Throwable cause) {
		super(description + "\n" + action, cause);
		this.description = description;
		this.action = action;
	}

	/**
	 * Returns what is wrong.
	 * @return complete sentences
	 */
	public String description() {
		return this.description;
	}

	/**
	 * Returns what to do.
	 * @return complete sentences
	 */
	public String action() {
		return this.action;
	}

}

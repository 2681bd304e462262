/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * Locks cannot be set up at startup: the lock table is missing or unfit, DynamoDB does
 * not answer or denies access, or no DynamoDbClient can be made.
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
	 * @param cause what the lock client or the SDK threw, or {@code null}
	 */
	public LockSetupException(String description, String action, @Nullable Throwable cause) {
		super(description + "\n" + action, cause);
		this.description = description;
		this.action = action;
	}

	/**
	 * What is wrong.
	 * @return sentences
	 */
	public String description() {
		return this.description;
	}

	/**
	 * What to do.
	 * @return sentences
	 */
	public String action() {
		return this.action;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import org.jspecify.annotations.Nullable;

/**
 * The lock table, or an item in it, is not what this client needs.
 *
 * <pre>{@code
 * try {
 *     work(client.acquire("orders-42"));
 * }
 * catch (LockTableException ex) {
 *     if (ex.problem() == LockTableException.Problem.MISSING) {
 *         LockTable.of(dynamoDbClient, ex.tableName()).createIfMissing();
 *     }
 * }
 * }</pre>
 */
public final class LockTableException extends LockException {

	private static final long serialVersionUID = 1L;

	private final String tableName;

	private final Problem problem;

	/**
	 * @param tableName the table
	 * @param problem what is wrong with it
	 * @param message what is wrong, what is needed and how to mend it
	 * @param cause the exception of the SDK, or {@code null}
	 */
	public LockTableException(String tableName, Problem problem, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.tableName = tableName;
		this.problem = problem;
	}

	/**
	 * The table.
	 * @return its name
	 */
	public String tableName() {
		return this.tableName;
	}

	/**
	 * What is wrong.
	 * @return the kind of problem
	 */
	public Problem problem() {
		return this.problem;
	}

	/**
	 * What can be wrong with a lock table.
	 *
	 * <pre>{@code
	 * boolean missing = exception.problem() == LockTableException.Problem.MISSING;
	 * }</pre>
	 */
	public enum Problem {

		/** There is no such table in the client's account and region. */
		MISSING,

		/** The table's key attributes are not the configured ones. */
		WRONG_KEY_SCHEMA,

		/** The table exists but did not become ready in time. */
		NOT_ACTIVE,

		/**
		 * The table is a global table with eventual consistency, where two regions can
		 * grant one lock.
		 */
		EVENTUALLY_CONSISTENT_REPLICAS,

		/** Time to live is on, but for another attribute. */
		WRONG_TIME_TO_LIVE_ATTRIBUTE,

		/** An item under the lock's key is not a lock; it was left as it was. */
		NOT_A_LOCK

	}

}

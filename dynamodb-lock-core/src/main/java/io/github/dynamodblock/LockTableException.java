/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the lock table, or an item in it, does not fit the client.
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

	public LockTableException(String tableName, Problem problem, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.tableName = tableName;
		this.problem = problem;
	}

	/**
	 * {@return the table's name or ARN, as configured}
	 */
	public String tableName() {
		return this.tableName;
	}

	public Problem problem() {
		return this.problem;
	}

	/**
	 * Kinds of lock table problems.
	 *
	 * <pre>{@code
	 * boolean missing = exception.problem() == LockTableException.Problem.MISSING;
	 * }</pre>
	 */
	public enum Problem {

		/** The client's account and region have no such table. */
		MISSING,

		/** The table's key attributes are not the configured ones. */
		WRONG_KEY_SCHEMA,

		/** The table exists, but did not become active in time. */
		NOT_ACTIVE,

		/**
		 * The table is a global table with eventual consistency, where two regions can
		 * grant one lock.
		 */
		EVENTUALLY_CONSISTENT_REPLICAS,

		/** Time to live is enabled for another attribute. */
		WRONG_TIME_TO_LIVE_ATTRIBUTE,

		/**
		 * The item under the lock's key is not a lock, or a newer version wrote it in a
		 * format that this version does not know. It was not changed.
		 */
		NOT_A_LOCK

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure.diagnostics;

import java.util.stream.Collectors;

import io.github.dynamodblock.LockTableException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Reports that the lock table is missing, or cannot be used as it is.
 */
class LockTableFailureAnalyzer extends AbstractFailureAnalyzer<LockTableException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, LockTableException cause) {
		LockTableSetupException setup = findCause(rootFailure, LockTableSetupException.class);
		return switch (cause.problem()) {
			case MISSING -> missing(cause, setup);
			case WRONG_KEY_SCHEMA -> new FailureAnalysis(cause.getMessage() + ".", wrongKeySchema(setup), cause);
			case NOT_ACTIVE -> unfit(cause, setup,
					"Wait until DynamoDB has made the table ready, and start again. If it only takes longer than the "
							+ "application waits, set " + property(setup, "wait-at-most") + ".");
			case EVENTUALLY_CONSISTENT_REPLICAS -> unfit(cause, setup, "Set " + property(setup, "name")
					+ " to a table in one region, or to a global table with multi-region "
					+ "strong consistency. If all clients of every lock are in one region, accept this table:\n\n    "
					+ property(setup, "allow-eventually-consistent-replicas=true"));
			case WRONG_TIME_TO_LIVE_ATTRIBUTE -> unfit(cause, setup,
					"Set " + property(setup, "time-to-live-attribute-name")
							+ " to the attribute that the table goes by, or, to do without time to live, "
							+ property(setup, "time-to-live=0") + ".");
			case NOT_A_LOCK ->
				unfit(cause, setup, "Use another key for the lock, or a table that holds nothing but locks.");
		};
	}

	private static FailureAnalysis missing(LockTableException cause, @Nullable LockTableSetupException setup) {
		if (setup == null) {
			return new FailureAnalysis(cause.getMessage(),
					"Create the lock table, or correct its name or the region of the DynamoDbClient.", cause);
		}
		String commands = setup.setupCommands()
			.stream()
			.map((command) -> "    " + command + "\n")
			.collect(Collectors.joining());
		return new FailureAnalysis(
				"The lock table '" + cause.tableName() + "' does not exist. " + setup.dynamoDbClient() + ".",
				"Create the table:\n\n" + commands
						+ "\nOr let the application create it, if its role may do so:\n\n    "
						+ setup.property("create=if-missing") + "\n\nIf the table exists, correct "
						+ setup.property("name") + ", or the region of the DynamoDbClient.",
				cause);
	}

	private static String wrongKeySchema(@Nullable LockTableSetupException setup) {
		if (setup == null) {
			return "Configure the names of the table's keys, or another table.";
		}
		return "Set " + setup.property("partition-key-name") + " and " + setup.property("sort-key-name")
				+ " to the names of the table's keys, if they are strings. Otherwise, set " + setup.property("name")
				+ " to another table. " + setup.dynamoDbClient() + ".";
	}

	private static FailureAnalysis unfit(LockTableException cause, @Nullable LockTableSetupException setup,
			String action) {
		return new FailureAnalysis(
				cause.getMessage() + "." + ((setup != null) ? "\n\n" + setup.dynamoDbClient() + "." : ""), action,
				cause);
	}

	private static String property(@Nullable LockTableSetupException setup, String property) {
		return (setup != null) ? setup.property(property) : "dynamodb-lock.table." + property;
	}

}

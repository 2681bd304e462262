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
 * Reports that there is no lock table.
 */
class MissingLockTableFailureAnalyzer extends AbstractFailureAnalyzer<LockTableException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, LockTableException cause) {
		if (cause.problem() != LockTableException.Problem.MISSING) {
			return null;
		}
		LockTableSetupException setup = findCause(rootFailure, LockTableSetupException.class);
		if (setup == null) {
			return new FailureAnalysis(cause.getMessage(),
					"Create the lock table, or correct its name or the region of the DynamoDbClient.", cause);
		}
		return new FailureAnalysis(
				"The lock table '" + cause.tableName() + "' does not exist. " + setup.dynamoDbClient() + ".",
				action(setup), cause);
	}

	private static String action(LockTableSetupException setup) {
		String commands = setup.setupCommands()
			.stream()
			.map((command) -> "    " + command + "\n")
			.collect(Collectors.joining());
		return "Create the table:\n\n" + commands + "\nOr let the application create it, if its role may do so:\n\n    "
				+ setup.property("create=if-missing") + "\n\nIf the table exists, correct " + setup.property("name")
				+ ", or the region of the DynamoDbClient.";
	}

}

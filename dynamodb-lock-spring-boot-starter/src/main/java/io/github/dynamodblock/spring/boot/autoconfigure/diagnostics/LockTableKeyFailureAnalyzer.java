/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure.diagnostics;

import io.github.dynamodblock.LockTableException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Reports that the lock table has another key schema than the configured one.
 */
class LockTableKeyFailureAnalyzer extends AbstractFailureAnalyzer<LockTableException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, LockTableException cause) {
		if (cause.problem() != LockTableException.Problem.WRONG_KEY_SCHEMA) {
			return null;
		}
		LockTableSetupException setup = findCause(rootFailure, LockTableSetupException.class);
		return new FailureAnalysis(cause.getMessage() + ".",
				(setup != null) ? action(setup) : "Configure the names of the table's keys, or another table.", cause);
	}

	private static String action(LockTableSetupException setup) {
		return "Set " + setup.property("partition-key-name") + " and " + setup.property("sort-key-name")
				+ " to the names of the table's keys, if they are strings. Otherwise, set " + setup.property("name")
				+ " to another table. " + setup.dynamoDbClient() + ".";
	}

}

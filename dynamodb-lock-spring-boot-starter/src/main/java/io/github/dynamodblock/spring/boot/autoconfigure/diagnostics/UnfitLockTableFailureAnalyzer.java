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
 * Reports that the lock table is there, with the right key, and still cannot be used.
 */
class UnfitLockTableFailureAnalyzer extends AbstractFailureAnalyzer<LockTableException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, LockTableException cause) {
		LockTableSetupException setup = findCause(rootFailure, LockTableSetupException.class);
		String action = switch (cause.problem()) {
			case NOT_ACTIVE -> notActive(setup);
			case EVENTUALLY_CONSISTENT_REPLICAS -> eventuallyConsistentReplicas(setup);
			case WRONG_TIME_TO_LIVE_ATTRIBUTE -> wrongTimeToLiveAttribute(setup);
			case NOT_A_LOCK -> "Use another key for the lock, or a table that holds nothing but locks.";
			// Have reports of their own.
			case MISSING, WRONG_KEY_SCHEMA -> null;
		};
		return (action != null) ? new FailureAnalysis(
				cause.getMessage() + "." + ((setup != null) ? "\n\n" + setup.dynamoDbClient() + "." : ""), action,
				cause) : null;
	}

	private static String notActive(@Nullable LockTableSetupException setup) {
		return "Wait until DynamoDB has made the table ready, and start again. If it only takes longer than the "
				+ "application waits, set " + property(setup, "wait-at-most") + ".";
	}

	private static String eventuallyConsistentReplicas(@Nullable LockTableSetupException setup) {
		return "Set " + property(setup, "name") + " to a table in one region, or to a global table with multi-region "
				+ "strong consistency. If all clients of every lock are in one region, accept this table:\n\n    "
				+ property(setup, "allow-eventually-consistent-replicas=true");
	}

	private static String wrongTimeToLiveAttribute(@Nullable LockTableSetupException setup) {
		return "Set " + property(setup, "time-to-live-attribute-name")
				+ " to the attribute that the table goes by, or, to do without time to live, "
				+ property(setup, "time-to-live=0") + ".";
	}

	private static String property(@Nullable LockTableSetupException setup, String property) {
		return (setup != null) ? setup.property(property) : "dynamodb-lock.table." + property;
	}

}

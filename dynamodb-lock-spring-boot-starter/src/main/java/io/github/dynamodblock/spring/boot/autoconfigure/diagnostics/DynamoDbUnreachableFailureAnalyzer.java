/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure.diagnostics;

import io.github.dynamodblock.LockStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Reports that DynamoDB cannot be reached.
 */
class DynamoDbUnreachableFailureAnalyzer extends AbstractFailureAnalyzer<LockStoreException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, LockStoreException cause) {
		if (StoreFailure.of(cause) != StoreFailure.UNREACHABLE) {
			return null;
		}
		LockTableSetupException setup = findCause(rootFailure, LockTableSetupException.class);
		return new FailureAnalysis(
				"DynamoDB cannot be reached:\n\n    " + cause.getMessage()
						+ ((setup != null) ? "\n\n" + setup.dynamoDbClient() + "." : ""),
				"Check that something answers at this address, that the region is right, and that proxies, security "
						+ "groups and VPC endpoints let the application through. If it is DynamoDB Local, start it.",
				cause);
	}

}

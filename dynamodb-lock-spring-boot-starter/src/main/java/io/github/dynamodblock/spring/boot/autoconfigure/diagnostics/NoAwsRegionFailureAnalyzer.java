/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure.diagnostics;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Reports that no AWS region is known.
 */
class NoAwsRegionFailureAnalyzer extends AbstractFailureAnalyzer<NoAwsRegionException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, NoAwsRegionException cause) {
		return new FailureAnalysis(
				"No DynamoDbClient can be made for locks, because no AWS region is known: " + cause.property()
						+ " is not set, and the SDK found none. " + cause.reason() + ".",
				cause.remedy() + ". Or " + cause.alternative()
						+ ". To try locks without AWS, add dynamodb-lock-test to the " + "class path.",
				cause);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure.diagnostics;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.ClassUtils;

/**
 * Reports that no AWS region is known.
 */
class NoAwsRegionFailureAnalyzer extends AbstractFailureAnalyzer<NoAwsRegionException> {

	private static final String EMBEDDED = "io.github.dynamodblock.test.EmbeddedDynamoDb";

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, NoAwsRegionException cause) {
		return new FailureAnalysis(
				"No DynamoDbClient can be made for locks, because no AWS region is known: " + cause.property()
						+ " is not set, and the SDK found none. " + cause.reason() + ".",
				cause.remedy() + ". Or " + cause.alternative()
						+ (ClassUtils.isPresent(EMBEDDED, getClass().getClassLoader()) ? "."
								: ". To try locks without AWS, add dynamodb-lock-test with scope test or as optional."),
				cause);
	}

}

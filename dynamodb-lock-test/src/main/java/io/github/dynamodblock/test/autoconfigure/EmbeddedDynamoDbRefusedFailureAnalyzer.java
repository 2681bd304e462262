/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports an embedded DynamoDB in an application that looks deployed. */
final class EmbeddedDynamoDbRefusedFailureAnalyzer extends AbstractFailureAnalyzer<EmbeddedDynamoDbRefusedException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, EmbeddedDynamoDbRefusedException cause) {
		return new FailureAnalysis(cause.description(), EmbeddedDynamoDbRefusedException.ACTION, cause);
	}

}

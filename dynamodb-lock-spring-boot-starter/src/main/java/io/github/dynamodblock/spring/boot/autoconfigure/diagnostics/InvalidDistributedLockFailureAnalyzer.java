/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure.diagnostics;

import io.github.dynamodblock.spring.InvalidDistributedLockException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Reports an annotation that cannot work.
 */
class InvalidDistributedLockFailureAnalyzer extends AbstractFailureAnalyzer<InvalidDistributedLockException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidDistributedLockException cause) {
		String what = cause.attribute()
			.map((attribute) -> "the attribute '" + attribute + "' of the annotation")
			.orElse("what the description says");
		return new FailureAnalysis(cause.getMessage(), "Correct " + what + ", at " + cause.location() + ".", cause);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure.diagnostics;

import java.util.List;

import io.github.dynamodblock.spring.InvalidDistributedLockException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Reports an annotation that cannot work.
 */
class InvalidDistributedLockFailureAnalyzer extends AbstractFailureAnalyzer<InvalidDistributedLockException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidDistributedLockException cause) {
		List<String> corrections = cause.problems()
			.stream()
			.map(InvalidDistributedLockFailureAnalyzer::correction)
			.distinct()
			.toList();
		return new FailureAnalysis(cause.getMessage(), (corrections.size() == 1) ? "Correct " + corrections.get(0) + "."
				: "Correct:\n\n    " + String.join("\n    ", corrections), cause);
	}

	private static String correction(InvalidDistributedLockException problem) {
		String what = problem.attribute()
			.map((attribute) -> "the attribute '" + attribute + "' of the annotation")
			.orElse("what the description says");
		return what + ", at " + problem.location();
	}

}

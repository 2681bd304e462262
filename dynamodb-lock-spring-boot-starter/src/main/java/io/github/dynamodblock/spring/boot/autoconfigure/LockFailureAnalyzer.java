/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.List;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Reports why locks could not be set up, or which annotations are invalid. Runs before
 * Spring Boot's analyzers, which would report the cause, such as several beans of a type.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class LockFailureAnalyzer implements FailureAnalyzer {

	@Override
	public @Nullable FailureAnalysis analyze(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof LockSetupException setup) {
				return new FailureAnalysis(setup.description(), setup.action(), setup);
			}
			if (cause instanceof InvalidDistributedLockException invalid) {
				return new FailureAnalysis(invalid.getMessage(), corrections(invalid), invalid);
			}
		}
		return null;
	}

	private static String corrections(InvalidDistributedLockException invalid) {
		List<String> corrections = invalid.problems()
			.stream()
			.map((problem) -> problem.attribute()
				.map((attribute) -> "the attribute '" + attribute + "' of the annotation on ")
				.orElse("the problem described for ") + problem.location())
			.distinct()
			.toList();
		return (corrections.size() == 1) ? "Correct " + corrections.get(0) + "."
				: "Correct:\n\n    " + String.join("\n    ", corrections);
	}

}

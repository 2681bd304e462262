/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Reports why locks could not be set up, which annotations are invalid, or which
 * properties do not exist. Runs before Spring Boot's analyzers. Those would report the
 * cause, such as several beans of a type, and print the values of unknown properties, one
 * of which may be a misspelled credential.
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
			Collection<ConfigurationProperty> unknown = unknown(cause);
			if (!unknown.isEmpty()) {
				return unknown(unknown, cause);
			}
		}
		return null;
	}

	private static Collection<ConfigurationProperty> unknown(Throwable failure) {
		Collection<ConfigurationProperty> properties = List.of();
		if (failure instanceof UnboundConfigurationPropertiesException unbound) {
			properties = unbound.getUnboundProperties();
		}
		else if (failure instanceof BindException group && group.getProperty() != null) {
			properties = List.of(group.getProperty());
		}
		ConfigurationPropertyName prefix = ConfigurationPropertyName.of(DynamoDbLockProperties.PREFIX);
		return properties.stream()
			.filter((property) -> prefix.equals(property.getName()) || prefix.isAncestorOf(property.getName()))
			.filter((property) -> DynamoDbLockProperties.names()
				.map(ConfigurationPropertyName::of)
				.noneMatch(property.getName()::equals))
			.toList();
	}

	private static FailureAnalysis unknown(Collection<ConfigurationProperty> properties, Throwable cause) {
		StringBuilder description = new StringBuilder("These properties do not exist:");
		for (ConfigurationProperty property : properties) {
			description.append("\n\n    Property: ").append(property.getName());
			description.append("\n    Origin: ").append(property.getOrigin());
			similar(property.getName()).ifPresent((name) -> description.append("\n    Did you mean: ").append(name));
		}
		return new FailureAnalysis(description.toString(),
				"Correct or remove them. Credentials are not properties of dynamodb-lock: they come from Spring Cloud "
						+ "AWS, the SDK's default chain, or a DynamoDbClient bean.",
				cause);
	}

	private static Optional<String> similar(ConfigurationPropertyName unknown) {
		String written = uniform(unknown.toString());
		return DynamoDbLockProperties.names()
			.min(Comparator.comparingInt((name) -> distance(written, uniform(name))))
			.filter((name) -> distance(written, uniform(name)) <= written.length() / 4);
	}

	private static String uniform(String name) {
		return name.replaceFirst(DynamoDbLockProperties.PREFIX, "").replace("-", "");
	}

	/** The number of characters to insert, delete or replace. */
	private static int distance(String from, String to) {
		int[] row = IntStream.rangeClosed(0, to.length()).toArray();
		for (int i = 1; i <= from.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= to.length(); j++) {
				int replaced = diagonal + ((from.charAt(i - 1) == to.charAt(j - 1)) ? 0 : 1);
				diagonal = row[j];
				row[j] = Math.min(replaced, Math.min(row[j - 1], row[j]) + 1);
			}
		}
		return row[to.length()];
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

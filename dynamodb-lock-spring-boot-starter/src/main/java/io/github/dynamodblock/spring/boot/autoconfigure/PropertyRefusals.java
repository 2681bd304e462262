/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Set;
import java.util.function.Consumer;

import io.github.dynamodblock.InvalidLockOptionException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.core.env.Environment;

/**
 * Reports invalid values by the names of their properties.
 */
final class PropertyRefusals {

	private static final Set<String> OF_TABLE = Set.of("tableName", "partitionKeyName", "sortKeyName",
			"fencingTokenAttributeName", "timeToLive", "timeToLiveAttributeName", "waitAtMost");

	private PropertyRefusals() {
	}

	/**
	 * Sets options of the lock client or its table.
	 * @param environment where the properties are set
	 * @param options sets them
	 * @throws InvalidConfigurationPropertyValueException if one is invalid
	 */
	static void apply(Environment environment, Runnable options) {
		try {
			options.run();
		}
		catch (InvalidLockOptionException ex) {
			String property = property(ex.option());
			throw refusal(property, environment.getProperty(property, "the default"), ex);
		}
	}

	private static String property(String option) {
		String dashed = DataObjectPropertyName.toDashedForm(option);
		return DynamoDbLockProperties.PREFIX + "."
				+ (OF_TABLE.contains(option) ? "table." + dashed.replaceFirst("^table-", "") : dashed)
					.replace("wait-at-most", "timeout");
	}

	/**
	 * Passes a value to code that validates it.
	 * @param property the full name of the property
	 * @param value the value, or {@code null} to do nothing
	 * @param use the code that uses the value
	 * @throws InvalidConfigurationPropertyValueException if the value is invalid
	 */
	static <V> void check(String property, @Nullable V value, Consumer<V> use) {
		try {
			if (value != null) {
				use.accept(value);
			}
		}
		catch (IllegalArgumentException ex) {
			throw refusal(property, value, ex);
		}
	}

	/** Boot 4.0 has no public constructor with a cause. */
	private static InvalidConfigurationPropertyValueException refusal(String property, Object value, Exception cause) {
		InvalidConfigurationPropertyValueException refusal = new InvalidConfigurationPropertyValueException(property,
				value, String.valueOf(cause.getMessage()));
		refusal.addSuppressed(cause);
		return refusal;
	}

}

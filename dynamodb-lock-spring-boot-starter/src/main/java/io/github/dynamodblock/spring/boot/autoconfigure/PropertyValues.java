/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Hands property values on, so that a refusal names the property.
 */
final class PropertyValues {

	private PropertyValues() {
	}

	static String name(String property) {
		return DynamoDbLockProperties.PREFIX + "." + property;
	}

	/**
	 * Gives a value to an option.
	 * @param property the property without the prefix
	 * @param value the value, or {@code null} to leave the option alone
	 * @param target what has the option
	 * @param option sets the option and returns what then has it
	 * @return the target with the option
	 * @throws InvalidConfigurationPropertyValueException if the option refuses the value
	 */
	static <T, V> T apply(String property, @Nullable V value, T target, Setter<T, V> option) {
		return (value == null) ? target : check(property, value, (given) -> option.set(target, given));
	}

	/**
	 * Makes something of a value.
	 * @param property the property without the prefix
	 * @param value the value
	 * @param use what is made of it
	 * @return what was made
	 * @throws InvalidConfigurationPropertyValueException if the value is refused
	 */
	static <T, V> T check(String property, V value, Function<V, T> use) {
		try {
			return use.apply(value);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException(name(property), value, String.valueOf(ex.getMessage()),
					ex);
		}
	}

	/** Sets an option. */
	@FunctionalInterface
	interface Setter<T, V> {

		T set(T target, V value);

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

import io.github.dynamodblock.InvalidLockOptionException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;

/**
 * The properties of one lock client, and refusals that name the property to change.
 *
 * @param name the name of the client's bean
 * @param all all properties
 * @param values those of the client
 * @param environment where they are set
 */
record LockClientProperties(String name, DynamoDbLockProperties all, DynamoDbLockProperties values,
		Environment environment) {

	/** The bean of the default client. */
	static final String DEFAULT = "dynamoDbLockClient";

	private static final Set<String> OF_TABLE = Set.of("tableName", "partitionKeyName", "sortKeyName",
			"fencingTokenAttributeName", "timeToLive", "timeToLiveAttributeName", "waitAtMost");

	LockClientProperties(String name, DynamoDbLockProperties all, Environment environment) {
		this(name, all, all.of(name), environment);
	}

	boolean isAdditional() {
		return this.all.clients().containsKey(this.name);
	}

	/** Whether the client sets a property under {@code dynamodb} itself. */
	boolean hasSeparateDynamoDbClient() {
		DynamoDbLockProperties.Client own = this.all.clients().get(this.name);
		return own != null && !own.dynamodb().equals(DynamoDbLockProperties.DynamoDb.NONE);
	}

	/** The full name of a property of this client, as it is or would be set. */
	String property(String property) {
		String inherited = DynamoDbLockProperties.PREFIX + "." + property;
		if (!isAdditional()) {
			return inherited;
		}
		String own = DynamoDbLockProperties.PREFIX + ".clients." + this.name + "." + property;
		return (isSet(own) || !isSet(inherited) || (property.startsWith("dynamodb.") && hasSeparateDynamoDbClient()))
				? own : inherited;
	}

	private boolean isSet(String property) {
		return this.environment.containsProperty(property.toLowerCase(Locale.ROOT));
	}

	InvalidConfigurationPropertyValueException refusal(String property, @Nullable Object value, String reason) {
		return new InvalidConfigurationPropertyValueException(property(property), value, reason);
	}

	/**
	 * Sets options.
	 * @param options sets them
	 * @throws InvalidConfigurationPropertyValueException if one is refused
	 */
	void apply(Runnable options) {
		try {
			options.run();
		}
		catch (InvalidLockOptionException ex) {
			throw refusal(ex);
		}
	}

	private InvalidConfigurationPropertyValueException refusal(InvalidLockOptionException ex) {
		String option = DataObjectPropertyName.toDashedForm(ex.option());
		String property = OF_TABLE.contains(ex.option()) ? "table." + option.replaceFirst("^table-", "") : option;
		Object set = this.environment.getProperty(property(property).toLowerCase(Locale.ROOT));
		return withCause(
				refusal(property, (set != null) ? set : defaultValue(ex.option()), String.valueOf(ex.getMessage())),
				ex);
	}

	/** The value of an option that is not set, but does not fit others that are. */
	private @Nullable Object defaultValue(String option) {
		DynamoDbLockProperties.Table table = this.values.table();
		return switch (option) {
			case "tableName" -> table.name();
			case "partitionKeyName" -> table.partitionKeyName();
			case "fencingTokenAttributeName" -> table.fencingTokenAttributeName();
			case "timeToLive" -> table.timeToLive();
			case "timeToLiveAttributeName" -> table.timeToLiveAttributeName();
			case "waitAtMost" -> table.waitAtMost();
			case "leaseDuration" -> this.values.leaseDuration();
			default -> null;
		};
	}

	/**
	 * Makes something of a value.
	 * @param property the full name of the property that has it
	 * @param value the value, or {@code null} to leave the option alone
	 * @param use what is made of it
	 * @throws InvalidConfigurationPropertyValueException if the value is refused
	 */
	static <V> void check(String property, @Nullable V value, Consumer<V> use) {
		try {
			if (value != null) {
				use.accept(value);
			}
		}
		catch (IllegalArgumentException ex) {
			throw withCause(
					new InvalidConfigurationPropertyValueException(property, value, String.valueOf(ex.getMessage())),
					ex);
		}
	}

	/** Boot 4.0 has no public constructor with a cause. */
	private static InvalidConfigurationPropertyValueException withCause(
			InvalidConfigurationPropertyValueException refusal, Exception cause) {
		refusal.addSuppressed(cause);
		return refusal;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Hands the property values of one lock client on, so that a refusal names the property.
 */
final class PropertyValues {

	/** The core's names of what properties set. */
	private static final Map<String, String> OPTIONS = Map.ofEntries(Map.entry("tableName", "table.name"),
			Map.entry("partitionKeyName", "table.partition-key-name"), Map.entry("sortKeyName", "table.sort-key-name"),
			Map.entry("fencingTokenAttributeName", "table.fencing-token-attribute-name"),
			Map.entry("timeToLiveAttributeName", "table.time-to-live-attribute-name"),
			Map.entry("timeToLive", "table.time-to-live"), Map.entry("waitAtMost", "table.wait-at-most"),
			Map.entry("ownerName", "owner-name"), Map.entry("leaseDuration", "lease-duration"),
			Map.entry("heartbeatPeriod", "heartbeat-period"), Map.entry("heartbeatsPerSecond", "heartbeats-per-second"),
			Map.entry("maxConcurrentHeartbeats", "max-concurrent-heartbeats"),
			Map.entry("maxConcurrentCalls", "max-concurrent-calls"), Map.entry("expiryWarning", "expiry-warning"),
			Map.entry("waitTime", "wait-time"), Map.entry("holdAtMost", "hold-at-most"),
			Map.entry("pollInterval", "poll-interval"), Map.entry("clockRateTolerance", "clock-rate-tolerance"),
			Map.entry("clockSkewBound", "clock-skew-bound"), Map.entry("observationCapacity", "observation-capacity"));

	private static final Pattern WORD = Pattern.compile("\\b[a-z]+[A-Z]\\w*");

	private final String prefix;

	private final Predicate<String> inherited;

	/**
	 * The values under a prefix.
	 * @param prefix what the names of the lock client's properties begin with, without a
	 * dot at the end
	 */
	PropertyValues(String prefix) {
		this(prefix, (property) -> false);
	}

	/**
	 * The values under a prefix, of which some are those of the default lock client.
	 * @param prefix what the names of the lock client's properties begin with, without a
	 * dot at the end
	 * @param inherited whether the value of a property, given without the prefix, is that
	 * of the default lock client
	 */
	PropertyValues(String prefix, Predicate<String> inherited) {
		this.prefix = prefix;
		this.inherited = inherited;
	}

	/** The name of a property that is not about one lock client. */
	static String name(String property) {
		return DynamoDbLockProperties.PREFIX + "." + property;
	}

	/** The name of a property of this lock client, as it is or would be set. */
	String property(String property) {
		return this.inherited.test(property) ? name(property) : this.prefix + "." + property;
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
	<T, V> T apply(String property, @Nullable V value, T target, Setter<T, V> option) {
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
	<T, V> T check(String property, V value, Function<V, T> use) {
		try {
			return use.apply(value);
		}
		catch (IllegalArgumentException ex) {
			throw refusal(property, value, ex);
		}
	}

	/**
	 * Refuses a value.
	 * @param property the property without the prefix
	 * @param value the value
	 * @param reason why, as sentences
	 * @return the exception to throw
	 */
	InvalidConfigurationPropertyValueException refusal(String property, @Nullable Object value, String reason) {
		return new InvalidConfigurationPropertyValueException(property(property), value, reason);
	}

	/**
	 * Refuses what the core refused to build of values that are good one by one.
	 * @param ex what the core says
	 * @param values the value of a property, given its name without the prefix
	 * @return the exception to throw, which names the property that the core names first
	 */
	InvalidConfigurationPropertyValueException refusal(IllegalArgumentException ex,
			Function<String, @Nullable Object> values) {
		String property = WORD.matcher(String.valueOf(ex.getMessage()))
			.results()
			.map(MatchResult::group)
			.filter(OPTIONS::containsKey)
			.map(OPTIONS::get)
			.findFirst()
			.orElse("table.name");
		return refusal(property, values.apply(property), ex);
	}

	private InvalidConfigurationPropertyValueException refusal(String property, @Nullable Object value,
			IllegalArgumentException ex) {
		InvalidConfigurationPropertyValueException refusal = refusal(property, value, inProperties(ex));
		// Boot 4.0 has no public constructor with a cause.
		refusal.addSuppressed(ex);
		return refusal;
	}

	/** What the core says, with the properties' names instead of its options'. */
	private String inProperties(IllegalArgumentException ex) {
		return WORD.matcher(String.valueOf(ex.getMessage())).replaceAll((word) -> {
			String property = OPTIONS.get(word.group());
			return (property == null) ? word.group() : property(property);
		});
	}

	/** Sets an option. */
	@FunctionalInterface
	interface Setter<T, V> {

		T set(T target, V value);

	}

}

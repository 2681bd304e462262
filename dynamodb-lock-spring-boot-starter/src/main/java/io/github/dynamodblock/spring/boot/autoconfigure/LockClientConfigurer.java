/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.time.Duration;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.Printable;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties.Table;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Configures a lock client as the properties say, and refuses what cannot work by the
 * name of the property, before anything is sent.
 */
final class LockClientConfigurer {

	private final DynamoDbLockProperties properties;

	private final PropertyValues values;

	LockClientConfigurer(DynamoDbLockProperties properties, PropertyValues values) {
		this.properties = properties;
		this.values = values;
	}

	/**
	 * A builder with all properties applied.
	 * @param dynamoDbClient the client that the lock client uses
	 * @return the builder
	 * @throws InvalidConfigurationPropertyValueException if a value cannot work, alone or
	 * beside others
	 */
	LockClientBuilder builder(DynamoDbClient dynamoDbClient) {
		checkHeartbeat();
		checkTimeToLive();
		checkKeys();
		LockClientBuilder builder = configured(dynamoDbClient);
		try {
			builder.validate();
		}
		catch (IllegalArgumentException ex) {
			throw this.values.refusal(ex, this::value);
		}
		return builder;
	}

	private LockClientBuilder configured(DynamoDbClient dynamoDbClient) {
		Table table = this.properties.table();
		LockClientBuilder builder = LockClient.builder(dynamoDbClient)
			.tableName(table.name())
			.partitionKeyName(table.partitionKeyName())
			.sortKeyName(table.sortKeyName())
			.fencingTokenAttributeName(table.fencingTokenAttributeName())
			.timeToLiveAttributeName(table.timeToLiveAttributeName())
			.deleteOnRelease(this.properties.deleteOnRelease());
		this.values.check("table.time-to-live", table.timeToLive(),
				(value) -> builder.timeToLive(value.isZero() ? null : value));
		apply("owner-name", this.properties.ownerName(), builder, LockClientBuilder::ownerName);
		apply("namespace", this.properties.namespace(), builder, LockClientBuilder::namespace);
		apply("lease-duration", this.properties.leaseDuration(), builder, LockClientBuilder::leaseDuration);
		apply("heartbeat-period", this.properties.heartbeatPeriod(), builder, LockClientBuilder::heartbeatPeriod);
		apply("heartbeats-per-second", this.properties.heartbeatsPerSecond(), builder,
				LockClientBuilder::heartbeatsPerSecond);
		apply("max-concurrent-heartbeats", this.properties.maxConcurrentHeartbeats(), builder,
				LockClientBuilder::maxConcurrentHeartbeats);
		apply("max-concurrent-calls", this.properties.maxConcurrentCalls(), builder,
				LockClientBuilder::maxConcurrentCalls);
		apply("expiry-warning", this.properties.expiryWarning(), builder, LockClientBuilder::expiryWarning);
		apply("wait-time", this.properties.waitTime(), builder, LockClientBuilder::waitTime);
		apply("hold-at-most", this.properties.holdAtMost(), builder, LockClientBuilder::holdAtMost);
		apply("poll-interval", this.properties.pollInterval(), builder, LockClientBuilder::pollInterval);
		apply("clock-rate-tolerance", this.properties.clockRateTolerance(), builder,
				LockClientBuilder::clockRateTolerance);
		apply("clock-skew-bound", this.properties.clockSkewBound(), builder, LockClientBuilder::clockSkewBound);
		apply("observation-capacity", this.properties.observationCapacity(), builder,
				LockClientBuilder::observationCapacity);
		apply("background-reads", this.properties.backgroundReads(), builder, LockClientBuilder::backgroundReads);
		return builder;
	}

	private <V> void apply(String property, @Nullable V value, LockClientBuilder builder,
			PropertyValues.Setter<LockClientBuilder, V> option) {
		this.values.apply(property, value, builder, option);
	}

	private void checkHeartbeat() {
		Duration heartbeat = this.properties.heartbeatPeriod();
		Duration lease = this.properties.leaseDuration();
		if (heartbeat != null && heartbeat.compareTo(lease.dividedBy(2)) > 0) {
			throw this.values.refusal("heartbeat-period", heartbeat,
					"It is more than half of " + this.values.property("lease-duration") + ", which is "
							+ Printable.of(lease) + ": one lost heartbeat would lose the lock. Give at most "
							+ Printable.of(lease.dividedBy(2)) + ", or a longer lease.");
		}
	}

	private void checkTimeToLive() {
		Duration timeToLive = this.properties.table().timeToLive();
		Duration lease = this.properties.leaseDuration();
		if (!timeToLive.isZero() && timeToLive.compareTo(lease) <= 0) {
			throw this.values.refusal("table.time-to-live", timeToLive, "It is not longer than "
					+ this.values.property("lease-duration") + ", which is " + Printable.of(lease)
					+ ": DynamoDB could delete the item of a lock that is held. Give a longer time, or 0 for never.");
		}
	}

	/** The parts of keys that properties give, beside the shortest name of a lock. */
	private void checkKeys() {
		this.values.check("key-prefix", this.properties.keyPrefix(), (prefix) -> LockKey.of(prefix + "a"));
		if (this.properties.table().sortKeyName() != null) {
			this.values.check("table.sort-key-value", this.properties.table().sortKeyValue(),
					(sort) -> LockKey.of("a", sort));
		}
	}

	/** The value of a property that the core may name when values do not fit together. */
	private @Nullable Object value(String property) {
		Table table = this.properties.table();
		return switch (property) {
			case "table.partition-key-name" -> table.partitionKeyName();
			case "table.sort-key-name" -> table.sortKeyName();
			case "table.fencing-token-attribute-name" -> table.fencingTokenAttributeName();
			case "table.time-to-live-attribute-name" -> table.timeToLiveAttributeName();
			case "heartbeats-per-second" -> this.properties.heartbeatsPerSecond();
			case "heartbeat-period" -> this.properties.heartbeatPeriod();
			case "expiry-warning" -> this.properties.expiryWarning();
			default -> table.name();
		};
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.time.Duration;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Configures the lock client that the properties describe.
 */
final class LockClientConfigurer {

	private final DynamoDbLockProperties properties;

	LockClientConfigurer(DynamoDbLockProperties properties) {
		this.properties = properties;
	}

	LockClientBuilder builder(DynamoDbClient dynamoDbClient) {
		DynamoDbLockProperties.Table table = this.properties.table();
		LockClientBuilder builder = LockClient.builder(dynamoDbClient)
			.tableName(table.name())
			.partitionKeyName(table.partitionKeyName())
			.sortKeyName(table.sortKeyName())
			.timeToLiveAttributeName(table.timeToLiveAttributeName());
		if (this.properties.ownerName() != null) {
			builder.ownerName(this.properties.ownerName());
		}
		PropertyValues.check("table.time-to-live", table.timeToLive(),
				(value) -> builder.timeToLive(value.isZero() ? null : value));
		PropertyValues.apply("lease-duration", this.properties.leaseDuration(), builder,
				LockClientBuilder::leaseDuration);
		PropertyValues.apply("heartbeat-period", this.properties.heartbeatPeriod(), builder,
				LockClientBuilder::heartbeatPeriod);
		PropertyValues.apply("wait-time", this.properties.waitTime(), builder, LockClientBuilder::waitTime);
		checkHeartbeat(this.properties.heartbeatPeriod(), this.properties.leaseDuration());
		return builder;
	}

	private static void checkHeartbeat(@Nullable Duration heartbeatPeriod, Duration leaseDuration) {
		if (heartbeatPeriod != null && heartbeatPeriod.compareTo(leaseDuration.dividedBy(2)) > 0) {
			throw new InvalidConfigurationPropertyValueException(PropertyValues.name("heartbeat-period"),
					heartbeatPeriod,
					"It is more than half of " + PropertyValues.name("lease-duration") + ", which is " + leaseDuration
							+ ": one lost heartbeat would lose the lock. Give at most " + leaseDuration.dividedBy(2)
							+ ", or a longer lease.");
		}
	}

}

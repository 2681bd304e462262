/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(DynamoDbExtension.class)
class DynamoDbLockPropertiesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			lease-duration=50ms                            | must be from 100 ms to 365 days
			heartbeat-period=0s                            | must be at least 10 ms
			heartbeat-period=2100ms                        | heartbeatPeriod is 2.1 s and leaseDuration is 4 s
			wait-time=-1s                                  | must not be negative
			hold-at-most=99ms                              | must be at least 100 ms
			poll-interval=1ms                              | must be from 10 ms to 1 hour
			clock-skew-bound=2d                            | must be positive, and at most a day
			max-concurrent-calls=10001                     | must be from 1 to 10000
			namespace=a/b                                  | no '/'
			table.name=a                                   | must have 3 to 255 letters
			table.partition-key-name=ownerName             | which another attribute of the lock's item uses
			table.sort-key-name=key                        | which another attribute of the lock's item uses
			table.fencing-token-attribute-name=ownerName   | which another attribute of the lock's item uses
			table.timeout=2d                          | or longer than a day
			table.time-to-live=1h                          | must be from 1 to 3650 days
			table.time-to-live-attribute-name=fencingToken | which another attribute of the lock's item uses
			""")
	void aRefusedValueNamesItsProperty(String property, String reason, EmbeddedDynamoDb dynamoDb) {
		String name = property.substring(0, property.indexOf('='));
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock." + property)
			.run((context) -> assertThat(refusal(context.getStartupFailure())).hasValueSatisfying((refused) -> {
				assertThat(refused.getName()).isEqualTo("dynamodb-lock." + name);
				assertThat(refused.getReason()).contains(reason);
			}));
	}

	@Test
	void aRefusedDefaultIsReportedWithItsValue(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.table.partition-key-name=expiresAt")
			.run((context) -> assertThat(refusal(context.getStartupFailure())).hasValueSatisfying((refused) -> {
				assertThat(refused.getName()).isEqualTo("dynamodb-lock.table.time-to-live-attribute-name");
				assertThat(refused.getValue()).isEqualTo("the default");
			}));
	}

	@Test
	void aRefusalComesBeforeAnythingIsSent(EmbeddedDynamoDb dynamoDb) {
		CallRecorder calls = new CallRecorder();
		LockNode.of(dynamoDb, calls::attach)
			.withPropertyValues("dynamodb-lock.heartbeat-period=2100ms")
			.run((context) -> assertThat(context).hasFailed());
		assertThat(calls.calls()).isEmpty();
	}

	@Test
	void everyOptionReachesTheLockClient(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.namespace=shop", "dynamodb-lock.delete-on-release=true",
					"dynamodb-lock.poll-interval=50ms", "dynamodb-lock.clock-skew-bound=1s",
					"dynamodb-lock.lease-duration=60s", "dynamodb-lock.hold-at-most=30s",
					"dynamodb-lock.table.fencing-token-attribute-name=token")
			.run((context) -> {
				String table = context.getBean(DynamoDbLockProperties.class).table().name();
				HeldLock lock = context.getBean(LockClient.class).acquire("orders-42");
				Map<String, AttributeValue> item = item(dynamoDb, table);
				assertThat(item).containsKeys("token", "leaseEnds");
				assertThat(item).containsEntry("key", AttributeValue.fromS("shop/orders-42"));
				assertThat(lock.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(30));
				lock.release();
				assertThat(item(dynamoDb, table)).isEmpty();
			});
	}

	private static Map<String, AttributeValue> item(EmbeddedDynamoDb dynamoDb, String table) {
		return dynamoDb.client()
			.getItem((get) -> get.tableName(table)
				.consistentRead(true)
				.key(Map.of("key", AttributeValue.fromS("shop/orders-42"))))
			.item();
	}

	private static Optional<InvalidConfigurationPropertyValueException> refusal(@Nullable Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof InvalidConfigurationPropertyValueException refused) {
				return Optional.of(refused);
			}
		}
		return Optional.empty();
	}

	@ParameterizedTest
	@CsvSource({ "localhost:8000", "ftp://localhost", "http:/localhost" })
	void anEndpointMustBeAnAddress(String endpoint) {
		LockNode.bare()
			.withPropertyValues("dynamodb-lock.dynamodb.region=local", "dynamodb-lock.dynamodb.endpoint=" + endpoint)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("dynamodb-lock.dynamodb.endpoint", endpoint, "http://localhost:8000"));
	}

	@Test
	void anUnreadableValueIsNotTakenForOff() {
		LockNode.bare()
			.withPropertyValues("dynamodb-lock.enabled=perhaps")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("dynamodb-lock.enabled")
				.hasStackTraceContaining("perhaps"));
	}

	@Test
	void timeToLiveIsSwitchedOffByZero(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).withPropertyValues("dynamodb-lock.table.time-to-live=0").run((context) -> {
			String table = context.getBean(DynamoDbLockProperties.class).table().name();
			assertThat(dynamoDb.client()
				.describeTimeToLive((describe) -> describe.tableName(table))
				.timeToLiveDescription()
				.timeToLiveStatusAsString()).isEqualTo("DISABLED");
		});
	}

}

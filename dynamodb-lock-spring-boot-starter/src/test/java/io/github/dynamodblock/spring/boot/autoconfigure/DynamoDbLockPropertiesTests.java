/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Optional;

import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(DynamoDbExtension.class)
class DynamoDbLockPropertiesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			lease-duration=50ms                            | must be from 100 ms to 365 days
			heartbeat-period=0s                            | must be positive
			heartbeat-period=2100ms                        | more than half of dynamodb-lock.lease-duration
			wait-time=-1s                                  | must not be negative
			table.name=a                                   | must have 3 to 255 characters
			table.partition-key-name=ownerName             | which another attribute of the lock's item has
			table.sort-key-name=key                        | which another attribute of the lock's item has
			table.time-to-live=1h                          | must be from 1 to 3650 days
			table.time-to-live-attribute-name=fencingToken | which another attribute of the lock's item has
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
			.withPropertyValues("dynamodb-lock.client.region=local", "dynamodb-lock.client.endpoint=" + endpoint)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("dynamodb-lock.client.endpoint", endpoint, "http://localhost:8000"));
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

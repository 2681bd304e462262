/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * The two calls of LockServiceCentral's DynamoDB backend: a conditional put and a
 * conditional delete. Its own code runs in a server only, so the calls are written here;
 * its HTTP interface and its checks are not part of them.
 */
final class LockServiceCentralCalls {

	static final String KEY = "lockId";

	private static final Map<String, String> OWNER_NAME = Map.of("#owner", "owner");

	private final DynamoDbClient dynamoDb;

	private final String table;

	private final Duration lease;

	private final String instance = UUID.randomUUID().toString();

	LockServiceCentralCalls(DynamoDbClient dynamoDb, String table, Duration lease) {
		this.dynamoDb = dynamoDb;
		this.table = table;
		this.lease = lease;
	}

	/** Tries once. Each thread is an owner; returns what releases the lock. */
	Optional<Runnable> acquire(String name) {
		String id = "benchmarks:" + name;
		AttributeValue owner = text("worker-" + Thread.currentThread().getId());
		AttributeValue instanceId = text(this.instance);
		long now = Instant.now().getEpochSecond();
		try {
			this.dynamoDb.putItem((put) -> put.tableName(this.table)
				.item(Map.of(KEY, text(id), "namespace", text("benchmarks"), "lockName", text(name), "owner", owner,
						"instanceId", instanceId, "leaseDuration", number(this.lease.toSeconds()), "expiry",
						number(now + this.lease.toSeconds())))
				.conditionExpression("attribute_not_exists(lockId) OR expiry < :now"
						+ " OR (#owner = :owner AND instanceId = :instanceId)")
				.expressionAttributeNames(OWNER_NAME)
				.expressionAttributeValues(Map.of(":now", number(now), ":owner", owner, ":instanceId", instanceId)));
		}
		catch (ConditionalCheckFailedException ex) {
			return Optional.empty();
		}
		return Optional.of(() -> this.dynamoDb.deleteItem((delete) -> delete.tableName(this.table)
			.key(Map.of(KEY, text(id)))
			.conditionExpression("#owner = :owner AND instanceId = :instanceId")
			.expressionAttributeNames(OWNER_NAME)
			.expressionAttributeValues(Map.of(":owner", owner, ":instanceId", instanceId))));
	}

	private static AttributeValue text(String value) {
		return AttributeValue.fromS(value);
	}

	private static AttributeValue number(long value) {
		return AttributeValue.fromN(Long.toString(value));
	}

}

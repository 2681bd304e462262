/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.support;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import org.springframework.context.ApplicationContext;

/**
 * The item of one lock in the table of a node.
 */
public final class LockRow {

	private final EmbeddedDynamoDb dynamoDb;

	private final ApplicationContext node;

	private final String key;

	public LockRow(EmbeddedDynamoDb dynamoDb, ApplicationContext node, String key) {
		this.dynamoDb = dynamoDb;
		this.node = node;
		this.key = key;
	}

	/** Whether anybody could take the lock now. */
	public boolean isFree() {
		return this.node.getBean(LockClient.class).find(this.key).map(LockRecord::isReleased).orElse(true);
	}

	/** Returns who waits for the lock, as its item says. */
	public @Nullable String wantedBy() {
		String table = this.node.getBean(DynamoDbLockProperties.class).table().name();
		AttributeValue waiting = this.dynamoDb.client()
			.getItem((get) -> get.tableName(table).key(Map.of("key", AttributeValue.fromS(this.key))))
			.item()
			.get("wantedBy");
		return (waiting == null) ? null : waiting.s();
	}

	/** The owner's last renewal was at another time, by its clock. */
	public void renewedAt(Instant time) {
		set("renewedAt", AttributeValue.fromN(Long.toString(time.toEpochMilli())));
	}

	/** The owner acquired the lock with another lease. */
	public void leaseDuration(Duration lease) {
		set("leaseDuration", AttributeValue.fromS(Long.toString(lease.toMillis())));
	}

	private void set(String attribute, AttributeValue value) {
		String table = this.node.getBean(DynamoDbLockProperties.class).table().name();
		this.dynamoDb.client()
			.updateItem((update) -> update.tableName(table)
				.key(Map.of("key", AttributeValue.fromS(this.key)))
				.updateExpression("SET #attribute = :value")
				.expressionAttributeNames(Map.of("#attribute", attribute))
				.expressionAttributeValues(Map.of(":value", value)));
	}

	/** Takes the lock away from its holder, as a client does that saw its lease end. */
	public void steal() {
		String table = this.node.getBean(DynamoDbLockProperties.class).table().name();
		this.dynamoDb.client()
			.updateItem((update) -> update.tableName(table)
				.key(Map.of("key", AttributeValue.fromS(this.key)))
				.updateExpression("SET #owner = :owner, #version = :version")
				.expressionAttributeNames(Map.of("#owner", "ownerName", "#version", "recordVersionNumber"))
				.expressionAttributeValues(Map.of(":owner", AttributeValue.fromS("thief"), ":version",
						AttributeValue.fromS(UUID.randomUUID().toString()))));
	}

}

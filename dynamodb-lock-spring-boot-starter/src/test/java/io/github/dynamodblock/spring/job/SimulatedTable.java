/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The table of the locks, as operators and checks see it.
 */
final class SimulatedTable {

	private static final String NAME = "locks";

	private final InMemoryDynamoDb dynamoDb = InMemoryDynamoDb.withLockTable(NAME);

	private final DynamoDbLockStore store = new DynamoDbLockStore(this.dynamoDb, SimulatedProcess.SCHEMA);

	DynamoDbLockStore store() {
		return this.store;
	}

	JobRecord read(LockKey key) {
		Answer.Found found = (Answer.Found) this.store.send(new Step.Read(key, true, Long.MAX_VALUE));
		return (found.record() != null) ? JobRecord.of(found.record()) : JobRecord.NONE;
	}

	/** Whether DynamoDB will delete the item: it ignores what is not a number. */
	boolean hasTimeToLive(LockKey key) {
		AttributeValue time = this.dynamoDb.getItem((get) -> get.tableName(NAME).key(item(key)))
			.item()
			.get("expiresAt");
		return time != null && time.n() != null;
	}

	void delete(LockKey key) {
		this.dynamoDb.deleteItem((delete) -> delete.tableName(NAME).key(item(key)));
	}

	void update(LockKey key, Map<String, AttributeValue> attributes) {
		Map<String, AttributeValue> values = new HashMap<>();
		attributes.forEach((name, value) -> values.put(":" + name, value));
		List<String> updates = attributes.keySet().stream().map((name) -> name + " = :" + name).toList();
		this.dynamoDb.updateItem((update) -> update.tableName(NAME)
			.key(item(key))
			.updateExpression("SET " + String.join(", ", updates))
			.expressionAttributeValues(values));
	}

	private static Map<String, AttributeValue> item(LockKey key) {
		return Map.of("key", AttributeValue.fromS(key.partition()));
	}

}

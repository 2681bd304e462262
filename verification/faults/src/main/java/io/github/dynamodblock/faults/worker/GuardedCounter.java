/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import java.util.List;
import java.util.Map;

import io.github.dynamodblock.faults.checker.CommittedUpdate;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * A counter in DynamoDB for each lock. Its item has the value, which every update
 * overwrites, and the list of all updates, to which every update appends its id. The list
 * therefore shows the order of the commits, and each update as often as it was committed.
 */
public final class GuardedCounter {

	/** The table of the counters, whose key is {@code key}. */
	public static final String TABLE = "guarded-counters";

	private static final String VALUE = "counted";

	private static final String UPDATES = "updates";

	private GuardedCounter() {
	}

	/** The value as it is now. */
	static long read(DynamoDbClient dynamoDb, int lock) {
		AttributeValue value = dynamoDb
			.getItem((get) -> get.tableName(TABLE).key(key(lock)).consistentRead(true).projectionExpression(VALUE))
			.item()
			.get(VALUE);
		return (value != null) ? Long.parseLong(value.n()) : 0;
	}

	/**
	 * An update that makes a new value of the one that was read.
	 * @param lock the lock that guards the counter
	 * @param grant under which grant
	 * @param id of the update
	 * @param read the value that was read
	 */
	static Update update(int lock, String grant, String id, long read) {
		AttributeValue update = AttributeValue.fromS(id + " " + grant + " " + read);
		return Update.builder()
			.tableName(TABLE)
			.key(key(lock))
			.updateExpression("SET #value = :next, #updates = list_append(if_not_exists(#updates, :none), :update)")
			.expressionAttributeNames(Map.of("#value", VALUE, "#updates", UPDATES))
			.expressionAttributeValues(Map.of(":next", AttributeValue.fromN(Long.toString(read + 1)), ":none",
					AttributeValue.fromL(List.of()), ":update", AttributeValue.fromL(List.of(update))))
			.build();
	}

	/**
	 * Reads all updates.
	 * @param dynamoDb where the counter is
	 * @param lock the lock that guards it
	 * @return the updates, in the order in which they were committed
	 */
	public static List<CommittedUpdate> updates(DynamoDbClient dynamoDb, int lock) {
		AttributeValue updates = dynamoDb.getItem((get) -> get.tableName(TABLE).key(key(lock)).consistentRead(true))
			.item()
			.get(UPDATES);
		return (updates != null) ? updates.l().stream().map(AttributeValue::s).map(GuardedCounter::parse).toList()
				: List.of();
	}

	private static CommittedUpdate parse(String update) {
		String[] parts = update.split(" ", 3);
		return new CommittedUpdate(parts[0], parts[1], Long.parseLong(parts[2]));
	}

	private static Map<String, AttributeValue> key(int lock) {
		return Map.of("key", AttributeValue.fromS("counter-" + lock));
	}

}

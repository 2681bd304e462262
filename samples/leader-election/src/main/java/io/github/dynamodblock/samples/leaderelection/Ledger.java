/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection;

import java.util.Map;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

import org.springframework.stereotype.Component;

/**
 * An item that counts lines. It stores the fencing token of the latest term, and accepts
 * lines of that term only.
 */
@Component
class Ledger {

	static final String TABLE = "ledger";

	private static final Map<String, AttributeValue> KEY = Map.of("id", AttributeValue.fromS("lines"));

	private final DynamoDbClient dynamoDb;

	/**
	 * Creates a ledger.
	 * @param dynamoDb the client that the starter creates for the locks
	 */
	Ledger(DynamoDbClient dynamoDb) {
		this.dynamoDb = dynamoDb;
	}

	/**
	 * Begins a term.
	 * @return the number of lines, which former leaders can no longer change
	 * @throws ConditionalCheckFailedException if a later term has begun
	 */
	long begin(long token) {
		update("SET fencingToken = :token, lineCount = if_not_exists(lineCount, :zero)",
				"attribute_not_exists(fencingToken) OR fencingToken <= :token",
				Map.of(":token", number(token), ":zero", number(0)));
		// Only now: before the token was stored, a former leader could still add a line.
		return lines();
	}

	/**
	 * Adds a line.
	 * @throws ConditionalCheckFailedException if a later term has begun
	 */
	void add(long line, long token) {
		// The SDK repeats a call whose response was lost: an equal number is this line,
		// and a greater one a later line of this term, which a late repeat must not undo.
		update("SET lineCount = :line", "fencingToken = :token AND lineCount <= :line",
				Map.of(":token", number(token), ":line", number(line)));
	}

	/**
	 * Returns the number of lines, or 0 if no term has begun.
	 */
	long lines() {
		AttributeValue lineCount = this.dynamoDb.getItem((get) -> get.tableName(TABLE).key(KEY).consistentRead(true))
			.item()
			.getOrDefault("lineCount", number(0));
		return Long.parseLong(lineCount.n());
	}

	private void update(String expression, String condition, Map<String, AttributeValue> values) {
		this.dynamoDb.updateItem((update) -> update.tableName(TABLE)
			.key(KEY)
			.updateExpression(expression)
			.conditionExpression(condition)
			.expressionAttributeValues(values));
	}

	private static AttributeValue number(long value) {
		return AttributeValue.fromN(Long.toString(value));
	}

}

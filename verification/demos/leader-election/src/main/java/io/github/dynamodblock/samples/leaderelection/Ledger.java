/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

import org.springframework.stereotype.Component;

/**
 * What the leader changes: an item that counts lines, with the fencing token of the last
 * one. A write with a smaller token is refused, so that a leader that was paused too long
 * does no harm.
 */
@Component
public class Ledger {

	static final String TABLE = "leader-election-ledger";

	private static final Map<String, AttributeValue> KEY = Map.of("id", AttributeValue.fromS("ledger"));

	private final DynamoDbClient dynamoDb;

	/**
	 * Creates the ledger's table if it is missing.
	 * @param dynamoDb the client, which the locks use as well
	 */
	public Ledger(DynamoDbClient dynamoDb) {
		this.dynamoDb = dynamoDb;
		try {
			dynamoDb.createTable((table) -> table.tableName(TABLE)
				.attributeDefinitions(
						AttributeDefinition.builder().attributeName("id").attributeType(ScalarAttributeType.S).build())
				.keySchema(KeySchemaElement.builder().attributeName("id").keyType(KeyType.HASH).build())
				.billingMode(BillingMode.PAY_PER_REQUEST));
		}
		catch (ResourceInUseException ex) {
			// Another node has created it.
		}
		dynamoDb.waiter().waitUntilTableExists((table) -> table.tableName(TABLE));
	}

	/**
	 * Reads the ledger.
	 * @return what it contains now
	 */
	public State read() {
		Map<String, AttributeValue> item = this.dynamoDb
			.getItem((get) -> get.tableName(TABLE).key(KEY).consistentRead(true))
			.item();
		return new State(number(item.get("lineCount")), number(item.get("fencingToken")));
	}

	private static long number(@Nullable AttributeValue attribute) {
		return (attribute != null) ? Long.parseLong(attribute.n()) : 0;
	}

	/**
	 * Adds a line.
	 * @param number the number of the line
	 * @param fencingToken the token of the leadership
	 * @return {@code false} if a later leader has written, so that nothing was changed
	 */
	public boolean add(long number, long fencingToken) {
		try {
			this.dynamoDb.updateItem((update) -> update.tableName(TABLE)
				.key(KEY)
				.updateExpression("SET lineCount = :number, fencingToken = :token")
				.conditionExpression("attribute_not_exists(id) OR fencingToken <= :token")
				.expressionAttributeValues(Map.of(":number", AttributeValue.fromN(Long.toString(number)), ":token",
						AttributeValue.fromN(Long.toString(fencingToken)))));
			return true;
		}
		catch (ConditionalCheckFailedException ex) {
			return false;
		}
	}

	/**
	 * What the ledger contains.
	 *
	 * @param lines how many lines were added
	 * @param fencingToken the token of the last one; 0 before the first
	 */
	public record State(long lines, long fencingToken) {
	}

}

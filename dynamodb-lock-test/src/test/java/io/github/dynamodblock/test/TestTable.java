/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test;

import java.util.Map;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * A table like the one of the locks, and the writes that the tests need.
 */
final class TestTable {

	static final String NAME = "locks";

	private TestTable() {
	}

	static void create(DynamoDbClient client) {
		client.createTable((table) -> table.tableName(NAME)
			.billingMode(BillingMode.PAY_PER_REQUEST)
			.keySchema(KeySchemaElement.builder().attributeName("key").keyType(KeyType.HASH).build())
			.attributeDefinitions(
					AttributeDefinition.builder().attributeName("key").attributeType(ScalarAttributeType.S).build()));
		client.updateTimeToLive((table) -> table.tableName(NAME)
			.timeToLiveSpecification((ttl) -> ttl.attributeName("expiresAt").enabled(true)));
	}

	static void put(DynamoDbClient client, Map<String, AttributeValue> item) {
		client.putItem((put) -> put.tableName(NAME).item(item));
	}

	static ConditionalCheckFailedException updateRefused(DynamoDbClient client, String key) {
		return catchThrowableOfType(ConditionalCheckFailedException.class,
				() -> client.updateItem((update) -> update.tableName(NAME)
					.key(Map.of("key", AttributeValue.fromS(key)))
					.conditionExpression("attribute_not_exists(#key)")
					.updateExpression("SET ownerName = :me")
					.expressionAttributeNames(Map.of("#key", "key"))
					.expressionAttributeValues(Map.of(":me", AttributeValue.fromS("me")))
					.returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)));
	}

}

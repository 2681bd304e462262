/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.leaderelection;

import java.util.Map;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * The table of the sample's ledger, which the demo creates and reads.
 */
final class LedgerTable {

	private static final String NAME = "ledger";

	private static final Map<String, AttributeValue> KEY = Map.of("id", AttributeValue.fromS("lines"));

	private LedgerTable() {
	}

	static void create(DynamoDbClient dynamoDb) {
		dynamoDb.createTable((table) -> table.tableName(NAME)
			.attributeDefinitions(
					AttributeDefinition.builder().attributeName("id").attributeType(ScalarAttributeType.S).build())
			.keySchema(KeySchemaElement.builder().attributeName("id").keyType(KeyType.HASH).build())
			.billingMode(BillingMode.PAY_PER_REQUEST));
	}

	/** Reads the token of the latest term, or 0 before the first one. */
	static long fencingToken(DynamoDbClient dynamoDb) {
		AttributeValue token = dynamoDb.getItem((get) -> get.tableName(NAME).key(KEY).consistentRead(true))
			.item()
			.get("fencingToken");
		return (token != null) ? Long.parseLong(token.n()) : 0;
	}

}

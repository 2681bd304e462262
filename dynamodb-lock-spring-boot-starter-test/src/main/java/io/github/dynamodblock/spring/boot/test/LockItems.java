/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/**
 * The items of a fresh lock table.
 *
 * @param client the client of the table's DynamoDB
 * @param table the table's name
 */
record LockItems(DynamoDbClient client, String table) {

	/** Deletes all items, if the table exists. */
	void deleteAll() {
		try {
			List<String> keys = this.client.describeTable((request) -> request.tableName(this.table))
				.table()
				.keySchema()
				.stream()
				.map(KeySchemaElement::attributeName)
				.toList();
			this.client.scanPaginator((scan) -> scan.tableName(this.table).consistentRead(true))
				.items()
				.forEach((item) -> this.client
					.deleteItem((delete) -> delete.tableName(this.table).key(key(item, keys))));
		}
		catch (ResourceNotFoundException ex) {
			// The application creates the table only after its start.
			return;
		}
	}

	/** Returns whether the table has a lock that is not released. */
	boolean areHeld() {
		try {
			return this.client
				.scanPaginator((scan) -> scan.tableName(this.table)
					.consistentRead(true)
					.filterExpression("attribute_exists(ownerName) AND NOT isReleased = :released")
					.expressionAttributeValues(Map.of(":released", AttributeValue.fromS("1"))))
				.items()
				.iterator()
				.hasNext();
		}
		catch (ResourceNotFoundException ex) {
			return false;
		}
	}

	private static Map<String, AttributeValue> key(Map<String, AttributeValue> item, List<String> names) {
		return names.stream().collect(Collectors.toMap((name) -> name, item::get));
	}

}

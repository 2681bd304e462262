/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.context;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.context.ApplicationContext;

/**
 * The items of a fresh lock table.
 */
final class LockItems {

	/**
	 * What locks use where the application has no client of its own: this module's
	 * clients, and the one that the starter makes.
	 */
	private static final List<String> CLIENTS_FOR_LOCKS = List.of("testDynamoDbClient", "embeddedDynamoDbClient",
			"dynamoDbLockDynamoDbClient");

	private LockItems() {
	}

	/** Deletes all items of a table; a table that does not exist yet has none. */
	static void deleteAll(ApplicationContext application, String table) {
		DynamoDbClient client = client(application);
		try {
			List<String> keys = client.describeTable((request) -> request.tableName(table))
				.table()
				.keySchema()
				.stream()
				.map(KeySchemaElement::attributeName)
				.toList();
			client.scanPaginator((scan) -> scan.tableName(table).consistentRead(true))
				.items()
				.forEach((item) -> client.deleteItem((delete) -> delete.tableName(table).key(key(item, keys))));
		}
		catch (ResourceNotFoundException ex) {
			// Lazy initialisation: the test's first lock creates it.
			return;
		}
	}

	/** Whether the table has a lock that nobody released for good. */
	static boolean areHeld(ApplicationContext application, String table) {
		try {
			return client(application)
				.scanPaginator((scan) -> scan.tableName(table)
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

	private static DynamoDbClient client(ApplicationContext application) {
		for (String name : CLIENTS_FOR_LOCKS) {
			if (application.containsBean(name)) {
				return application.getBean(name, DynamoDbClient.class);
			}
		}
		try {
			return application.getBean(DynamoDbClient.class);
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new IllegalStateException(
					"@FreshLockTable found several DynamoDbClient beans (" + ex.getBeanNamesFound()
							+ ") and cannot tell in which DynamoDB the lock table is. Mark the one that "
							+ "locks use with @Primary",
					ex);
		}
	}

}

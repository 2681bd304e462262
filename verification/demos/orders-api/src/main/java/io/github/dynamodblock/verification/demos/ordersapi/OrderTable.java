/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * The nodes' table of orders, in the DynamoDB that has their locks.
 */
final class OrderTable implements OrderStore {

	/** Short, since a node is stopped for two leases. */
	static final Duration LEASE = Duration.ofSeconds(6);

	static final String NAME = "orders-api-orders";

	private final DynamoDbClient dynamoDb;

	private final boolean guard;

	/**
	 * Creates a store.
	 * @param guard whether transactions contain the condition on the lock
	 */
	OrderTable(DynamoDbClient dynamoDb, boolean guard) {
		this.dynamoDb = dynamoDb;
		this.guard = guard;
	}

	void create() {
		this.dynamoDb.createTable((table) -> table.tableName(NAME)
			.keySchema(KeySchemaElement.builder().attributeName("id").keyType(KeyType.HASH).build())
			.attributeDefinitions(
					AttributeDefinition.builder().attributeName("id").attributeType(ScalarAttributeType.N).build())
			.billingMode(BillingMode.PAY_PER_REQUEST));
	}

	@Override
	public List<Class<?>> sources() {
		return List.of(WriteInterceptor.class);
	}

	@Override
	public List<String> properties() {
		return List.of("--spring.profiles.active=dynamodb", "--orders.table=" + NAME,
				"--dynamodb-lock.lease-duration=" + LEASE, "--" + WriteInterceptor.GUARD + "=" + this.guard);
	}

	@Override
	public Stored read() {
		Map<Long, Stored.State> orders = new TreeMap<>();
		this.dynamoDb.scanPaginator((scan) -> scan.tableName(NAME).consistentRead(true)).items().forEach((item) -> {
			if (item.containsKey("items")) {
				orders.put(number(item, "id"),
						new Stored.State((int) number(item, "items"), number(item, "totalCents")));
			}
		});
		return new Stored("DynamoDB", orders);
	}

	private static long number(Map<String, AttributeValue> item, String name) {
		AttributeValue value = item.get(name);
		return (value != null) ? Long.parseLong(value.n()) : 0;
	}

}

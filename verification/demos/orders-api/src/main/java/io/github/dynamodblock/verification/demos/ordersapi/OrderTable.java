/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

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

	/** The table of the sample. */
	static final String NAME = "orders";

	private final DynamoDbClient dynamoDb;

	private final boolean guard;

	private final AtomicLong lastOrder = new AtomicLong();

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
					AttributeDefinition.builder().attributeName("id").attributeType(ScalarAttributeType.S).build())
			.billingMode(BillingMode.PAY_PER_REQUEST));
	}

	@Override
	public List<Class<?>> sources() {
		return List.of(DynamoDbNode.class, WriteInterceptor.class);
	}

	@Override
	public List<String> properties() {
		return List.of("--dynamodb-lock.lease-duration=" + LEASE, "--" + WriteInterceptor.GUARD + "=" + this.guard);
	}

	/** The first item creates an order: only its number is needed. */
	@Override
	public long openOrder(NodeClient node) {
		return this.lastOrder.incrementAndGet();
	}

	@Override
	public Stored read() {
		Map<Long, Stored.State> orders = new TreeMap<>();
		this.dynamoDb.scanPaginator((scan) -> scan.tableName(NAME).consistentRead(true))
			.items()
			.forEach((item) -> orders.put(Long.valueOf(value(item, "id").s()), new Stored.State(
					Integer.parseInt(value(item, "items").n()), Long.parseLong(value(item, "totalCents").n()))));
		return new Stored("DynamoDB", orders);
	}

	private static AttributeValue value(Map<String, AttributeValue> item, String name) {
		return Objects.requireNonNull(item.get(name));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.web.server.ResponseStatusException;

/**
 * Orders in DynamoDB. The lock writes them, so that an order is stored only while its
 * lock is held.
 */
@Service
@Profile("dynamodb")
public class DynamoDbOrders implements Orders {

	/** The item that holds the number of the last order. */
	private static final long LAST_NUMBER = 0;

	private final DynamoDbClient dynamoDb;

	private final Warehouse warehouse;

	private final String table;

	DynamoDbOrders(DynamoDbClient dynamoDb, Warehouse warehouse, @Value("${orders.table}") String table) {
		this.dynamoDb = dynamoDb;
		this.warehouse = warehouse;
		this.table = table;
	}

	@Override
	public Order open() {
		Map<String, AttributeValue> last = this.dynamoDb
			.updateItem((update) -> update.tableName(this.table)
				.key(key(LAST_NUMBER))
				.updateExpression("ADD lastNumber :one")
				.expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1")))
				.returnValues(ReturnValue.UPDATED_NEW))
			.attributes();
		long id = number(last, "lastNumber");
		Order order = new Order(id, 0, 0);
		this.dynamoDb.putItem((put) -> put.tableName(this.table).item(item(id, order)));
		return order;
	}

	@Override
	public Order find(long id) {
		// Consistent: the next owner of the lock must read what the previous one has
		// written.
		Map<String, AttributeValue> item = this.dynamoDb
			.getItem((get) -> get.tableName(this.table).key(key(id)).consistentRead(true))
			.item();
		if (!item.containsKey("items")) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no order " + id);
		}
		return new Order(id, (int) number(item, "items"), number(item, "totalCents"));
	}

	/**
	 * {@inheritDoc} The transaction of {@link HeldLock#transactWrite} has a condition on
	 * the lock's item. If this process is stopped after it has read the order and another
	 * node changes the order meanwhile, DynamoDB refuses the write.
	 */
	@Override
	@DistributedLock(name = "order", key = "#id", waitTime = "${orders.patience}")
	public Receipt addItem(long id, Item item) throws InterruptedException {
		Order order = find(id);
		this.warehouse.reserve(item);
		order.add(item.cents());
		Put put = Put.builder().tableName(this.table).item(item(id, order)).build();
		HeldLock lock = LockContext.current().orElseThrow();
		lock.transactWrite(List.of(TransactWriteItem.builder().put(put).build()));
		return new Receipt(id, order.getItems(), order.getTotalCents(), null);
	}

	private static Map<String, AttributeValue> key(long id) {
		return Map.of("id", number(id));
	}

	private static Map<String, AttributeValue> item(long id, Order order) {
		return Map.of("id", number(id), "items", number(order.getItems()), "totalCents", number(order.getTotalCents()));
	}

	private static AttributeValue number(long value) {
		return AttributeValue.fromN(Long.toString(value));
	}

	private static long number(Map<String, AttributeValue> item, String attribute) {
		return Long.parseLong(Objects.requireNonNull(item.get(attribute)).n());
	}

}

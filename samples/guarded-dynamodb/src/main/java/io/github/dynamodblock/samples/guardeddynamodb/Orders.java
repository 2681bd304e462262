/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.guardeddynamodb;

import java.util.List;
import java.util.Map;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

import org.springframework.stereotype.Service;

/**
 * Orders in DynamoDB, in the account and region of the lock table.
 */
@Service
public class Orders {

	private static final String TABLE = "orders";

	private final DynamoDbClient dynamoDb;

	Orders(DynamoDbClient dynamoDb) {
		this.dynamoDb = dynamoDb;
	}

	/**
	 * Adds an item. The lock writes the order, so that DynamoDB refuses the write if
	 * another node has taken the lock over since the order was read.
	 */
	@DistributedLock(name = "order", key = "#id")
	public Order addItem(String id, long cents) throws InterruptedException {
		Order order = find(id).withItem(cents);
		Put put = Put.builder().tableName(TABLE).item(order.toItem()).build();
		LockContext.current().orElseThrow().transactWrite(List.of(TransactWriteItem.builder().put(put).build()));
		return order;
	}

	public Order find(String id) {
		// Consistent, so that the next owner reads what the previous one has written.
		Map<String, AttributeValue> item = this.dynamoDb
			.getItem((get) -> get.tableName(TABLE).key(Map.of("id", AttributeValue.fromS(id))).consistentRead(true))
			.item();
		return item.isEmpty() ? new Order(id, 0, 0) : Order.fromItem(item);
	}

}

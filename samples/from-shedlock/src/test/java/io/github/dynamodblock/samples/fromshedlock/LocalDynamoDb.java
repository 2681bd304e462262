/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.fromshedlock;

import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * DynamoDB in memory, with ShedLock's table and that of this library.
 */
@TestConfiguration(proxyBeanMethods = false)
class LocalDynamoDb {

	@Bean
	DynamoDbClient dynamoDbClient() {
		return create();
	}

	static DynamoDbClient create() {
		DynamoDbClient dynamoDb = new InMemoryDynamoDb();
		LockTable.of(dynamoDb, "locks").createIfMissing();
		LockTable.of(dynamoDb, "shedlock").partitionKeyName("_id").createIfMissing();
		return dynamoDb;
	}

}

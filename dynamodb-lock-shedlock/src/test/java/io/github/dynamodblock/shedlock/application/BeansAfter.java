/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock.application;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.shedlock.DynamoDbLockProvider;
import io.github.dynamodblock.table.LockTable;
import net.javacrumbs.shedlock.core.LockProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** After it: what the migration guide shows. */
@Configuration
public class BeansAfter {

	@Bean
	LockClient lockClient(DynamoDbClient dynamoDbClient) {
		LockTable.of(dynamoDbClient, "locks").createIfMissing();
		return LockClient.builder(dynamoDbClient).tableName("locks").build();
	}

	@Bean
	LockProvider lockProvider(LockClient lockClient) {
		return new DynamoDbLockProvider(lockClient);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * Creates the ledger's table in memory. In production, it is created like every other
 * table, before the application is deployed.
 */
@TestConfiguration(proxyBeanMethods = false)
class LedgerTable {

	@Bean
	InitializingBean createLedgerTable(DynamoDbClient dynamoDb) {
		return () -> dynamoDb.createTable((table) -> table.tableName(Ledger.TABLE)
			.attributeDefinitions(
					AttributeDefinition.builder().attributeName("id").attributeType(ScalarAttributeType.S).build())
			.keySchema(KeySchemaElement.builder().attributeName("id").keyType(KeyType.HASH).build())
			.billingMode(BillingMode.PAY_PER_REQUEST));
	}

}

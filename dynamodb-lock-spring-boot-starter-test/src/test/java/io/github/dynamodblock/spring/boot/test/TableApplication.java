/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import java.util.List;
import java.util.Map;

import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockEmbeddedAutoConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application with a table, as the starter would make it.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration(DynamoDbLockEmbeddedAutoConfiguration.class)
class TableApplication {

	@Bean
	Table table(DynamoDbClient client, @Value("${dynamodb-lock.table.name}") String name) {
		return new Table(client, name);
	}

	record Table(DynamoDbClient client, String name) implements InitializingBean {

		@Override
		public void afterPropertiesSet() {
			this.client.createTable((table) -> table.tableName(this.name)
				.billingMode(BillingMode.PAY_PER_REQUEST)
				.keySchema(KeySchemaElement.builder().attributeName("key").keyType(KeyType.HASH).build())
				.attributeDefinitions(AttributeDefinition.builder()
					.attributeName("key")
					.attributeType(ScalarAttributeType.S)
					.build()));
		}

		void lock(String key) {
			this.client.putItem((put) -> put.tableName(this.name).item(Map.of("key", AttributeValue.fromS(key))));
		}

		List<Map<String, AttributeValue>> locks() {
			return this.client.scan((scan) -> scan.tableName(this.name)).items();
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.autoconfigure;

import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Makes the {@link DynamoDbClient} of tests with
 * {@link io.github.dynamodblock.test.InMemoryLocks}, which alone imports it.
 */
@AutoConfiguration(before = { DynamoDbConnectionAutoConfiguration.class, EmbeddedDynamoDbAutoConfiguration.class },
		beforeName = { "io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration",
				"io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockFallbackClientAutoConfiguration" })
@ConditionalOnMissingBean(DynamoDbClient.class)
public final class InMemoryDynamoDbAutoConfiguration {

	@Bean
	DynamoDbClient testDynamoDbClient() {
		return new InMemoryDynamoDb();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.autoconfigure;

import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Offers an {@link EmbeddedDynamoDb} and its client where the application configures no
 * DynamoDB: neither a {@link DynamoDbClient} bean, be it for locks alone, nor an
 * endpoint. It is switched off by {@code dynamodb-lock.embedded.enabled=false}, and with
 * the locks by {@code dynamodb-lock.enabled=false}. Startup fails where the application
 * is configured for AWS or deployed to a cloud platform, unless
 * {@code dynamodb-lock.embedded.enabled=true} is set.
 */
@AutoConfiguration(
		beforeName = "io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockFallbackClientAutoConfiguration",
		afterName = "io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration")
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnMissingBean(DynamoDbClient.class)
@Conditional({ OnEnabledCondition.class, OnNoEndpointCondition.class, OnNoDynamoDbClientForLocksCondition.class })
public final class EmbeddedDynamoDbAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedDynamoDbAutoConfiguration.class);

	@Bean
	static EmbeddedDynamoDbGuard embeddedDynamoDbGuard(ConfigurableEnvironment environment) {
		return new EmbeddedDynamoDbGuard(environment);
	}

	@Bean
	EmbeddedDynamoDb embeddedDynamoDb(ConfigurableApplicationContext context) {
		EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.shared();
		// Closing the context releases locks, for which the server has to be there.
		dynamoDb.onLastAlive(context::close);
		logger
			.warn("""
					Locks live in the memory of this process only: they protect nothing beyond it and are gone when it ends. \
					dynamodb-lock-test is on the class path and no endpoint is configured, so an embedded DynamoDB Local \
					runs at {}. For a real table, define a DynamoDbClient bean, set dynamodb-lock.dynamodb.endpoint, or take \
					dynamodb-lock-test off the runtime class path (dynamodb-lock.embedded.enabled=false does the same).""",
					dynamoDb.endpoint());
		return dynamoDb;
	}

	// Closed by the server.
	@Bean(destroyMethod = "")
	DynamoDbClient embeddedDynamoDbClient(EmbeddedDynamoDb embeddedDynamoDb) {
		return embeddedDynamoDb.client();
	}

}

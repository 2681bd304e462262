/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;

/**
 * Auto-configuration of a {@link DynamoDbClient} without DynamoDB, for tests and
 * development: tables in memory, or DynamoDB Local in this JVM if that is on the class
 * path. Applies only with {@code dynamodb-lock.embedded.enabled=true} and
 * dynamodb-lock-test. Backs off from any other client, but not from
 * {@code dynamodb-lock.dynamodb.*}.
 */
@AutoConfiguration(afterName = "io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration")
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(InMemoryDynamoDb.class)
@ConditionalOnEnabled
public final class DynamoDbLockEmbeddedAutoConfiguration {

	/** The bean name of the client. */
	static final String CLIENT = "embeddedDynamoDbClient";

	/** The bean name of a client that a test defines only for its locks. */
	public static final String CLIENT_OF_TEST = "inMemoryLocksDynamoDbClient";

	private static final String DYNAMODB_LOCAL = "software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler";

	private static final Logger logger = LoggerFactory.getLogger(DynamoDbLockEmbeddedAutoConfiguration.class);

	/** Each client is created only if locks or other beans use it. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass(DYNAMODB_LOCAL)
	@ConditionalOnEnabled(value = "embedded.enabled", byDefault = false)
	@ConditionalOnMissingBean(DynamoDbClient.class)
	static class InMemory {

		@Lazy
		@Bean(CLIENT)
		DynamoDbClient embeddedDynamoDbClient() {
			warn("");
			return new InMemoryDynamoDb();
		}

	}

	/** DynamoDB Local, which one JVM starts once for all application contexts. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = DYNAMODB_LOCAL)
	@ConditionalOnEnabled(value = "embedded.enabled", byDefault = false)
	@ConditionalOnMissingBean(DynamoDbClient.class)
	static class Local {

		@Lazy
		@Bean
		EmbeddedDynamoDb embeddedDynamoDb(ConfigurableApplicationContext context) {
			EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.shared();
			// The server must outlive the contexts, because closing a context releases
			// its locks.
			dynamoDb.onLastAlive(context::close);
			warn(" DynamoDB Local runs at " + dynamoDb.endpoint() + ".");
			return dynamoDb;
		}

		// Closed by the server.
		@Lazy
		@Bean(name = CLIENT, destroyMethod = "")
		DynamoDbClient embeddedDynamoDbClient(EmbeddedDynamoDb embeddedDynamoDb) {
			return embeddedDynamoDb.client();
		}

	}

	private static void warn(String server) {
		logger.warn("Locks exclude no other application context or process, because "
				+ "dynamodb-lock.embedded.enabled is true.{}", server);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.support;

import java.util.UUID;
import java.util.function.Consumer;

import io.github.dynamodblock.spring.boot.autoconfigure.DistributedLockAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockClientAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockFallbackClientAutoConfiguration;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Application contexts with locks. Each run of a runner is a node; runners of one table
 * are nodes of one application.
 */
public final class LockNode {

	private LockNode() {
	}

	/** The auto-configurations, and nothing else. */
	public static ApplicationContextRunner bare() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(PropertyPlaceholderAutoConfiguration.class,
					AopAutoConfiguration.class, DynamoDbLockClientAutoConfiguration.class,
					DynamoDbLockFallbackClientAutoConfiguration.class, DistributedLockAutoConfiguration.class));
	}

	/** A node with a new table, which it makes. */
	public static ApplicationContextRunner of(EmbeddedDynamoDb dynamoDb) {
		return of(dynamoDb, (client) -> {
		});
	}

	/** A node with a new table, which it makes, and a client of its own. */
	public static ApplicationContextRunner of(EmbeddedDynamoDb dynamoDb, Consumer<DynamoDbClientBuilder> client) {
		return bare().withBean("dynamoDbClient", DynamoDbClient.class, () -> dynamoDb.newClient(client))
			.withPropertyValues("dynamodb-lock.table.name=" + newTableName(), "dynamodb-lock.table.create=if-missing",
					"dynamodb-lock.lease-duration=4s");
	}

	public static String newTableName() {
		return "locks-" + UUID.randomUUID();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.PassThruLockRegistry;

/**
 * Two applications that do the same work, as they do in production. Each has a lock
 * client and a lock registry of its own; their locks lie in one table.
 */
final class TwoNodes {

	private TwoNodes() {
	}

	/** Applications that lock. */
	static ApplicationContextRunner withLocks(EmbeddedDynamoDb dynamoDb) {
		// A machine that is busy with other tests must not cost a lease.
		return LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.lease-duration=20s")
			.withUserConfiguration(Registry.class);
	}

	/** Applications whose locks keep nobody out. */
	static ApplicationContextRunner withoutLocks() {
		return new ApplicationContextRunner().withBean(PassThruLockRegistry.class);
	}

	static void run(ApplicationContextRunner node, Body body) {
		node.run((first) -> node.run((second) -> body.run(first, second)));
	}

	/**
	 * What happens while both applications run.
	 */
	@FunctionalInterface
	interface Body {

		void run(ApplicationContext first, ApplicationContext second) throws Exception;

	}

	@Configuration(proxyBeanMethods = false)
	static class Registry {

		@Bean
		DynamoDbLockRegistry lockRegistry(LockClient lockClient) {
			return new DynamoDbLockRegistry(lockClient);
		}

	}

}

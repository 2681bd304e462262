/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.List;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with everything that Boot configures, and one without each library.
 */
@ExtendWith(DynamoDbExtension.class)
class OptionalLibrariesTests {

	private static final List<String> ALL = List.of("meteredLockClients", "observedLockClients",
			"dynamoDbLockHealthContributor", "locksEndpoint");

	@Test
	void withAllLibrariesEverythingIsThere(EmbeddedDynamoDb dynamoDb) {
		web(dynamoDb).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(ALL).allSatisfy((bean) -> assertThat(context).hasBean(bean));
			assertLocks(context);
		});
	}

	@ParameterizedTest
	@CsvSource({ "io.micrometer.core, meteredLockClients",
			"org.springframework.boot.micrometer.observation, observedLockClients",
			"org.springframework.boot.health, dynamoDbLockHealthContributor",
			"org.springframework.boot.actuate, locksEndpoint" })
	void withoutALibraryItsPartIsMissingAndLocksWork(String hidden, String missing, EmbeddedDynamoDb dynamoDb) {
		web(dynamoDb).withClassLoader(new FilteredClassLoader(hidden)).run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(missing);
			assertLocks(context);
		});
	}

	@Test
	void withoutAnyOfThemLocksWork(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner runner = new ApplicationContextRunner();
		configured(runner, dynamoDb)
			.withClassLoader(new FilteredClassLoader("io.micrometer", "org.springframework.boot.micrometer",
					"org.springframework.boot.health", "org.springframework.boot.actuate"))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(ALL).allSatisfy((bean) -> assertThat(context).doesNotHaveBean(bean));
				assertLocks(context);
			});
	}

	private static WebApplicationContextRunner web(EmbeddedDynamoDb dynamoDb) {
		return configured(new WebApplicationContextRunner(), dynamoDb)
			.withPropertyValues("management.endpoints.web.exposure.include=*");
	}

	private static <R extends org.springframework.boot.test.context.runner.AbstractApplicationContextRunner<R, ?, ?>> R configured(
			R runner, EmbeddedDynamoDb dynamoDb) {
		return runner.withUserConfiguration(Application.class)
			.withBean(DynamoDbClient.class, () -> dynamoDb.newClient((client) -> {
			}))
			.withPropertyValues("dynamodb-lock.table.name=" + LockNode.newTableName(),
					"dynamodb-lock.table.create=if-missing");
	}

	private static void assertLocks(ApplicationContext context) throws InterruptedException {
		try (HeldLock lock = context.getBean(LockClient.class).acquire("k")) {
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.List;
import java.util.stream.Stream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with all libraries of operations, and one without each. The
 * auto-configurations are imported by their names, so that their conditions are read as
 * in an application whose class path lacks the library.
 */
@ExtendWith(DynamoDbExtension.class)
class OptionalLibrariesTests {

	private static final List<String> ALL = List.of("dynamoDbLockInstrumentation", "dynamoDbLockHealthContributor",
			"locksEndpoint");

	@Test
	void withAllLibrariesEverythingIsThere(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(ALL).allSatisfy((bean) -> assertThat(context).hasBean(bean));
			assertLocks(context);
		});
	}

	@ParameterizedTest
	@CsvSource({ "io.micrometer, dynamoDbLockInstrumentation",
			"org.springframework.boot.health, dynamoDbLockHealthContributor",
			"org.springframework.boot.actuate, locksEndpoint" })
	void withoutALibraryItsPartAloneIsMissingAndLocksWork(String hidden, String missing, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withClassLoader(new FilteredClassLoader(hidden)).run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(missing);
			assertThat(ALL).filteredOn((bean) -> !bean.equals(missing))
				.allSatisfy((bean) -> assertThat(context).hasBean(bean));
			assertLocks(context);
		});
	}

	@Test
	void withoutMetersAcquisitionsAreObserved(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withClassLoader(new FilteredClassLoader("io.micrometer.core")).run((context) -> {
			assertThat(ALL).allSatisfy((bean) -> assertThat(context).hasBean(bean));
			assertLocks(context);
		});
	}

	@Test
	void withoutAnyOfThemLocksWork(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb)
			.withClassLoader(new FilteredClassLoader("io.micrometer", "org.springframework.boot.micrometer",
					"org.springframework.boot.health", "org.springframework.boot.actuate"))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(ALL).allSatisfy((bean) -> assertThat(context).doesNotHaveBean(bean));
				assertLocks(context);
			});
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withBean("dynamoDbClient", DynamoDbClient.class, () -> dynamoDb.newClient((client) -> {
			}))
			.withBean("meterRegistry", SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("observationRegistry", ObservationRegistry.class, ObservationRegistry::create)
			.withPropertyValues("dynamodb-lock.table.name=" + LockNode.newTableName(),
					"dynamodb-lock.table.create=if-missing", "management.endpoints.web.exposure.include=*");
	}

	private static void assertLocks(ApplicationContext context) throws InterruptedException {
		try (HeldLock lock = context.getBean(LockClient.class).acquire("k")) {
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@Import(ByName.class)
	static class Application {

	}

	static class ByName implements ImportSelector {

		@Override
		public String[] selectImports(AnnotationMetadata importing) {
			return Stream
				.of("DynamoDbLockClient", "DistributedLock", "DynamoDbLockObservability",
						"DynamoDbLockHealthContributor", "DynamoDbLockEndpoint")
				.map((name) -> "io.github.dynamodblock.spring.boot.autoconfigure." + name + "AutoConfiguration")
				.toArray(String[]::new);
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.support.LockNode;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that a test runs with fewer libraries than its own.
 */
public final class PlainApplication {

	private PlainApplication() {
	}

	/** What methods with locks gave. */
	public static String lock(URI dynamoDb) {
		AtomicReference<String> results = new AtomicReference<>();
		node(dynamoDb).withBean(Orders.class).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			results.set(orders.value() + ", " + orders.future().join());
		});
		return String.valueOf(results.get());
	}

	/** Why an application with a suspend function does not start. */
	public static String suspend(URI dynamoDb) throws ClassNotFoundException {
		Class<?> suspending = Class.forName("io.github.dynamodblock.spring.aop.SuspendFunctionTests$Orders");
		AtomicReference<String> failure = new AtomicReference<>();
		node(dynamoDb).withBean(suspending).run((context) -> failure.set(String.valueOf(context.getStartupFailure())));
		return String.valueOf(failure.get());
	}

	/** What was auto-configured for Spring Integration, in an application that locks. */
	public static List<String> integration(URI dynamoDb) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(AutoConfigured.class)
			.web(WebApplicationType.NONE)
			.run("--dynamodb-lock.dynamodb.endpoint=" + dynamoDb, "--dynamodb-lock.dynamodb.region=local",
					"--dynamodb-lock.table.name=" + LockNode.newTableName(),
					"--dynamodb-lock.table.create=if-missing")) {
			context.getBean(LockTemplate.class).executeWithoutResult("orders", (lock) -> lock.ensureHeld());
			return Stream.of("dynamoDbLockRegistry", "errorChannel").filter(context::containsBean).toList();
		}
	}

	private static ApplicationContextRunner node(URI dynamoDb) {
		return LockNode.bare()
			.withClassLoader(PlainApplication.class.getClassLoader())
			.withBean("dynamoDbClient", DynamoDbClient.class,
					() -> DynamoDbClient.builder()
						.endpointOverride(dynamoDb)
						.region(Region.EU_WEST_1)
						.credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("a", "b")))
						.build())
			.withPropertyValues("dynamodb-lock.table.name=" + LockNode.newTableName(),
					"dynamodb-lock.table.create=if-missing");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class AutoConfigured {

	}

	static class Orders {

		@DistributedLock(name = "orders", key = "1")
		String value() {
			assertThat(LockContext.current()).isPresent();
			return "value";
		}

		@DistributedLock(name = "orders", key = "1")
		CompletableFuture<String> future() {
			assertThat(LockContext.current()).isPresent();
			return CompletableFuture.completedFuture("future");
		}

	}

}

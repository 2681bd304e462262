/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * An instance of the service that a test starts and stops by itself. All of them use one
 * embedded DynamoDB, and one table unless they name another.
 */
public final class ServiceInstance implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private final int port;

	private ServiceInstance(ConfigurableApplicationContext context) {
		this.context = context;
		this.port = Objects.requireNonNull(((WebServerApplicationContext) context).getWebServer()).getPort();
	}

	/**
	 * Starts an instance.
	 * @param properties its properties, such as {@code authentication.disabled=true}
	 * @return the running instance
	 */
	public static ServiceInstance start(String... properties) {
		return start(new StoreCalls(), properties);
	}

	/**
	 * Starts an instance whose calls to DynamoDB can be made to fail.
	 * @param store the calls
	 * @param properties its properties, such as {@code authentication.disabled=true}
	 * @return the running instance
	 */
	public static ServiceInstance start(StoreCalls store, String... properties) {
		Map<String, String> arguments = new LinkedHashMap<>(Map.of("server.address", "127.0.0.1", "server.port", "0",
				"management.server.port", "0", "dynamodb-lock.table.name", "instances"));
		for (String property : properties) {
			int separator = property.indexOf('=');
			arguments.put(property.substring(0, separator), property.substring(separator + 1));
		}
		return new ServiceInstance(new SpringApplicationBuilder(LockServerApplication.class)
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(DynamoDbClient.class,
					() -> Shared.DYNAMO_DB.newClient(store::attach)))
			.run(arguments.entrySet()
				.stream()
				.map((property) -> "--" + property.getKey() + "=" + property.getValue())
				.toArray(String[]::new)));
	}

	/**
	 * The DynamoDB of all instances.
	 * @return the server
	 */
	public static EmbeddedDynamoDb dynamoDb() {
		return Shared.DYNAMO_DB;
	}

	/**
	 * Calls the instance without a token.
	 * @return the calls
	 */
	public LockServerCalls calls() {
		return calls(null);
	}

	/**
	 * Calls the instance.
	 * @param token the bearer token, or {@code null} for none
	 * @return the calls
	 */
	public LockServerCalls calls(@Nullable String token) {
		return new LockServerCalls(URI.create("http://127.0.0.1:" + this.port), token);
	}

	/**
	 * Calls the port of health and metrics.
	 * @return the calls
	 */
	public LockServerCalls management() {
		return LockServerCalls
			.on(this.context.getEnvironment().getRequiredProperty("local.management.port", Integer.class));
	}

	/**
	 * Where the instance listens.
	 * @return the port
	 */
	public int port() {
		return this.port;
	}

	/**
	 * A bean of the instance.
	 * @param <T> its type
	 * @param type its type
	 * @return the bean
	 */
	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	/**
	 * Stops the instance in good order.
	 */
	@Override
	public void close() {
		this.context.close();
	}

	private static final class Shared {

		/** Ends by itself when nothing else is left. */
		private static final EmbeddedDynamoDb DYNAMO_DB = EmbeddedDynamoDb.start();

	}

}

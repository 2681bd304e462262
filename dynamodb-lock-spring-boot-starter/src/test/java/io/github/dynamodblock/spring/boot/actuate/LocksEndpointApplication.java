/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A web application with everything that Boot configures, and how to ask its endpoints
 * over HTTP. The tests of a class share an application with the same properties, since
 * its start takes longer than they do; each finds it without locks.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class LocksEndpointApplication {

	/** The path of the application's lock client. */
	static final String CLIENT = "/actuator/locks/dynamoDbLockClient";

	private final Map<Set<String>, Running> shared = new HashMap<>();

	private final HttpClient http = HttpClient.newHttpClient();

	private String table = LockNode.newTableName();

	private @Nullable ConfigurableApplicationContext application;

	@BeforeEach
	void begin() {
		this.table = LockNode.newTableName();
		this.application = null;
	}

	@AfterEach
	void end() {
		ConfigurableApplicationContext ended = this.application;
		if (ended == null) {
			return;
		}
		if (this.shared.containsValue(new Running(ended, this.table))) {
			clear(ended);
		}
		else {
			ended.close();
		}
	}

	@AfterAll
	void closeAll() {
		this.shared.values().forEach((running) -> running.application().close());
	}

	/** Starts an application with these properties, unless the class has one. */
	final void start(EmbeddedDynamoDb dynamoDb, String... properties) {
		Running running = this.shared.computeIfAbsent(Set.of(properties),
				(key) -> new Running(application(dynamoDb).properties(properties).run(), this.table));
		this.application = running.application();
		this.table = running.table();
	}

	/** Starts an application that this test alone uses. */
	final void start(SpringApplicationBuilder builder) {
		this.application = builder.run();
	}

	private void clear(ConfigurableApplicationContext application) {
		application.getBeanProvider(LockClient.class).ifAvailable((client) -> {
			client.held().forEach(HeldLock::release);
			DynamoDbClient dynamoDb = application.getBean(DynamoDbClient.class);
			dynamoDb.scan((scan) -> scan.tableName(this.table)).items().forEach((item) -> {
				Map<String, AttributeValue> key = new HashMap<>(item);
				key.keySet().retainAll(Set.of("key", "sort"));
				dynamoDb.deleteItem((delete) -> delete.tableName(this.table).key(key));
			});
		});
	}

	/** The application's lock client. */
	final LockClient client() {
		return application().getBean(LockClient.class);
	}

	final String table() {
		return this.table;
	}

	/** An application that has not started. */
	SpringApplicationBuilder application(EmbeddedDynamoDb dynamoDb) {
		return new SpringApplicationBuilder(Application.class)
			.properties(Map.of("server.port", "0", "server.address", "127.0.0.1", "spring.main.banner-mode", "off",
					"management.endpoints.web.exposure.include", "*", "management.endpoint.health.show-details",
					"always", "dynamodb-lock.table.name", this.table, "dynamodb-lock.table.create", "if-missing",
					"dynamodb-lock.lease-duration", "4s"))
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(DynamoDbClient.class,
					() -> dynamoDb.newClient((client) -> {
					})));
	}

	final ConfigurableApplicationContext application() {
		return Objects.requireNonNull(this.application);
	}

	/** A client of another node. */
	final LockClient other(EmbeddedDynamoDb dynamoDb) {
		return LockClient.builder(dynamoDb.client())
			.tableName(this.table)
			.ownerName("node-2")
			.leaseDuration(Duration.ofSeconds(4))
			.build();
	}

	final String get(String path, int status) throws IOException, InterruptedException {
		return send(HttpRequest.newBuilder().GET(), path, status);
	}

	final String delete(String path, int status) throws IOException, InterruptedException {
		return send(HttpRequest.newBuilder().DELETE(), path, status);
	}

	/** Sends a JSON object. */
	final String post(String path, String body, int status) throws IOException, InterruptedException {
		return send(HttpRequest.newBuilder()
			.header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(body)), path, status);
	}

	private String send(HttpRequest.Builder request, String path, int status) throws IOException, InterruptedException {
		String port = application().getEnvironment().getRequiredProperty("local.server.port");
		HttpResponse<String> response = this.http
			.send(request.uri(URI.create("http://127.0.0.1:" + port + path)).build(), BodyHandlers.ofString());
		assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
		return response.body();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	/**
	 * An application that runs.
	 *
	 * @param application the application
	 * @param table its lock table
	 */
	private record Running(ConfigurableApplicationContext application, String table) {
	}

}

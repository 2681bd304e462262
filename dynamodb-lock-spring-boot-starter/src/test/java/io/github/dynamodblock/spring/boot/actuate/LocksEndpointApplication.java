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
import java.util.Map;
import java.util.Objects;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A web application with everything that Boot configures, and how to ask its endpoints
 * over HTTP.
 */
abstract class LocksEndpointApplication {

	private final String table = LockNode.newTableName();

	private final HttpClient http = HttpClient.newHttpClient();

	private @Nullable ConfigurableApplicationContext application;

	@AfterEach
	void stop() {
		if (this.application != null) {
			this.application.close();
		}
	}

	final void start(EmbeddedDynamoDb dynamoDb, String... properties) {
		start(application(dynamoDb).properties(properties));
	}

	final void start(SpringApplicationBuilder builder) {
		this.application = builder.run();
	}

	/** The application's lock client. */
	final LockClient client() {
		return application().getBean(LockClient.class);
	}

	final String table() {
		return this.table;
	}

	final SpringApplicationBuilder application(EmbeddedDynamoDb dynamoDb) {
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

}

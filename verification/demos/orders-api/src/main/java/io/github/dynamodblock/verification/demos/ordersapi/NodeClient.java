/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.samples.ordersapi.Item;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends requests to a node. Thread-safe.
 */
final class NodeClient {

	private static final int OK = 200;

	private static final int CREATED = 201;

	private static final int NOT_FOUND = 404;

	private static final int CONFLICT = 409;

	private static final int LOCKED = 423;

	/** Longer than a request waits for its lock. */
	private static final Duration ANSWER_TIME = Duration.ofMinutes(2);

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final JsonMapper json = new JsonMapper();

	private final String name;

	private final String address;

	/**
	 * Creates a client.
	 * @param address where it listens, such as {@code http://127.0.0.1:8080}
	 */
	NodeClient(String name, String address) {
		this.name = name;
		this.address = address;
	}

	String name() {
		return this.name;
	}

	/**
	 * Opens an order.
	 * @return its number
	 */
	long openOrder() throws IOException, InterruptedException, DemoFailedException {
		return exchange("/orders", HttpRequest.newBuilder().POST(BodyPublishers.noBody()), CREATED).get("id").asLong();
	}

	/**
	 * Adds an item to an order.
	 * @return the outcome; never completed by an exception
	 */
	CompletableFuture<Answer> addItem(long order, long cents) {
		HttpRequest.Builder request = HttpRequest.newBuilder()
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(this.json.writeValueAsString(new Item(cents))));
		return this.client.sendAsync(to("/orders/" + order + "/items", request), BodyHandlers.ofString())
			.thenApply((response) -> answer(order, cents, response))
			.exceptionally((ex) -> new Answer.Failed(order, this.name + " did not answer: " + ex));
	}

	private Answer answer(long order, long cents, HttpResponse<String> response) {
		return switch (response.statusCode()) {
			case OK -> new Answer.Added(order, cents, this.json.readTree(response.body()).get("items").asInt(),
					response.headers().firstValue(ObservedOrders.TOKEN).map(Long::valueOf).orElse(null));
			case LOCKED, CONFLICT -> new Answer.Refused(order);
			default -> new Answer.Failed(order, describe(response));
		};
	}

	/**
	 * Reads orders.
	 * @param ids their numbers
	 */
	Stored read(Collection<Long> ids) throws IOException, InterruptedException, DemoFailedException {
		Map<Long, Stored.State> orders = new TreeMap<>();
		for (long id : ids) {
			JsonNode order = exchange("/orders/" + id, HttpRequest.newBuilder().GET(), OK);
			orders.put(id, new Stored.State(order.get("items").asInt(), order.get("totalCents").asLong()));
		}
		return new Stored(this.name, orders);
	}

	/**
	 * Reads an endpoint of the actuator.
	 * @param path what comes after {@code /actuator/}
	 * @return its answer, or empty if there is no such endpoint
	 */
	Optional<JsonNode> actuator(String path) throws IOException, InterruptedException, DemoFailedException {
		HttpResponse<String> response = send("/actuator/" + path, HttpRequest.newBuilder().GET());
		return switch (response.statusCode()) {
			case OK -> Optional.of(this.json.readTree(response.body()));
			case NOT_FOUND -> Optional.empty();
			default -> throw new DemoFailedException("/actuator/" + path + " of " + describe(response));
		};
	}

	private JsonNode exchange(String path, HttpRequest.Builder request, int expectedStatus)
			throws IOException, InterruptedException, DemoFailedException {
		HttpResponse<String> response = send(path, request);
		if (response.statusCode() != expectedStatus) {
			throw new DemoFailedException(path + " of " + describe(response));
		}
		return this.json.readTree(response.body());
	}

	private HttpResponse<String> send(String path, HttpRequest.Builder request)
			throws IOException, InterruptedException {
		return this.client.send(to(path, request), BodyHandlers.ofString());
	}

	private HttpRequest to(String path, HttpRequest.Builder request) {
		return request.uri(URI.create(this.address + path)).timeout(ANSWER_TIME).build();
	}

	private String describe(HttpResponse<String> response) {
		return this.name + " answered " + response.statusCode() + " " + response.body();
	}

}

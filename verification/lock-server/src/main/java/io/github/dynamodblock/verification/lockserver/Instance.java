/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.dynamodblock.verification.lockserver.Answer.Free;
import io.github.dynamodblock.verification.lockserver.Answer.Granted;
import io.github.dynamodblock.verification.lockserver.Answer.Refused;
import io.github.dynamodblock.verification.lockserver.Answer.Released;
import io.github.dynamodblock.verification.lockserver.Answer.Taken;
import io.github.dynamodblock.verification.lockserver.Request.Action;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An instance of the service as its clients see it. Thread-safe.
 */
final class Instance {

	private static final int OK = 200;

	private static final int LOCKED = 423;

	private static final int SERVER_ERROR = 500;

	private static final int UNAVAILABLE = 503;

	/**
	 * Longer than the service may take: who gives up before may get a lock without
	 * knowing it.
	 */
	private static final Duration ANSWER_TIME = Duration.ofSeconds(30);

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final JsonMapper json = new JsonMapper();

	private final String name;

	private final String address;

	private final boolean stopped;

	/**
	 * Makes a client.
	 * @param name what the instance is called
	 * @param address where it listens, such as {@code http://127.0.0.1:8080}
	 */
	Instance(String name, String address) {
		this(name, address, false);
	}

	private Instance(String name, String address, boolean stopped) {
		this.name = name;
		this.address = address;
		this.stopped = stopped;
	}

	/**
	 * Makes a client of an instance that is stopped on the way by its own process, which
	 * closes what its calls are using. An error of the server, or of its web container
	 * (not JSON), is as good as no answer.
	 */
	static Instance thatIsStopped(String name, String address) {
		return new Instance(name, address, true);
	}

	String name() {
		return this.name;
	}

	/**
	 * Sends a request once.
	 * @return the answer
	 * @throws ConnectException if the instance does not listen
	 * @throws IOException if nobody knows whether the request was carried out
	 * @throws UnavailableException if it says so itself
	 * @throws UnexpectedAnswerException if it answers otherwise
	 */
	Answer send(Request request)
			throws IOException, InterruptedException, UnavailableException, UnexpectedAnswerException {
		HttpResponse<String> response = this.client.send(httpRequest(request), BodyHandlers.ofString());
		return switch (response.statusCode()) {
			case OK -> answer(request.action(), this.json.readTree(response.body()));
			case LOCKED -> new Refused();
			case UNAVAILABLE -> throw new UnavailableException();
			default -> throw unexpected(request, response);
		};
	}

	private UnexpectedAnswerException unexpected(Request request, HttpResponse<String> response) throws IOException {
		String what = this.name + " answered " + response.statusCode() + " " + response.body() + " to " + request;
		if (this.stopped && (response.statusCode() >= SERVER_ERROR || !isJson(response))) {
			throw new IOException(what);
		}
		return new UnexpectedAnswerException(what);
	}

	private static boolean isJson(HttpResponse<String> response) {
		return response.headers().firstValue("Content-Type").filter((type) -> type.contains("json")).isPresent();
	}

	private HttpRequest httpRequest(Request request) {
		String lock = this.address + "/v1/trial/lock/" + request.lock();
		HttpRequest.Builder builder = HttpRequest.newBuilder().timeout(ANSWER_TIME);
		if (request.action() == Action.LOOK) {
			return builder.uri(URI.create(lock)).build();
		}
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("instanceId", request.client());
		if (request.action() != Action.RELEASE) {
			body.put("leaseDuration", request.seconds());
		}
		if (request.fencingToken() != 0) {
			body.put("fencingToken", request.fencingToken());
		}
		if (!request.idempotencyKey().isEmpty()) {
			builder.header("Idempotency-Key", request.idempotencyKey());
		}
		return builder.uri(URI.create(lock + "/" + request.action().path()))
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(this.json.writeValueAsString(body)))
			.build();
	}

	private static Answer answer(Action action, JsonNode body) {
		return switch (action) {
			case ACQUIRE, RENEW -> new Granted(body.required("leaseDuration").asLong(),
					body.required("expiry").asLong(), body.required("fencingToken").asLong());
			case RELEASE -> new Released();
			case LOOK -> body.has("owner") ? new Taken(body.required("expiry").asLong()) : new Free();
		};
	}

	/**
	 * The instance cannot serve requests now: 503.
	 */
	static final class UnavailableException extends Exception {

		private static final long serialVersionUID = 1L;

	}

	/**
	 * The instance gives an answer that it should not give.
	 */
	static final class UnexpectedAnswerException extends Exception {

		private static final long serialVersionUID = 1L;

		UnexpectedAnswerException(String message) {
			super(message);
		}

	}

}

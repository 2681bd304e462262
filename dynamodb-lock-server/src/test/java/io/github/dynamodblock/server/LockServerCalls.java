/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Calls a running instance of the service over HTTP, as its clients do, and fails where
 * an answer is none of those that the OpenAPI document has for the call. Thread-safe;
 * connections are kept and shared.
 */
public final class LockServerCalls {

	private static final JsonMapper JSON = JsonMapper.shared();

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final URI base;

	private final @Nullable String token;

	/**
	 * Calls without a token.
	 * @param base the instance, such as {@code http://127.0.0.1:8080}
	 */
	public LockServerCalls(URI base) {
		this(base, null);
	}

	/**
	 * Calls with a bearer token.
	 * @param base the instance, such as {@code http://127.0.0.1:8080}
	 * @param token the token, or {@code null} for none
	 */
	public LockServerCalls(URI base, @Nullable String token) {
		this.base = base;
		this.token = token;
	}

	/**
	 * Calls an instance of this machine without a token.
	 * @param port where it listens
	 * @return the calls
	 */
	public static LockServerCalls on(int port) {
		return new LockServerCalls(URI.create("http://127.0.0.1:" + port));
	}

	public Answer get(String namespace, String lockName) {
		return raw("GET", path(namespace, lockName), null);
	}

	public Answer acquire(String namespace, String lockName, String instanceId, long seconds) {
		return acquire(namespace, lockName, instanceId, seconds, null);
	}

	public Answer acquire(String namespace, String lockName, String instanceId, long seconds,
			@Nullable String idempotencyKey) {
		return post(path(namespace, lockName) + "/acquire", lease(instanceId, seconds), idempotencyKey);
	}

	public Answer renew(String namespace, String lockName, String instanceId, long seconds) {
		return renew(namespace, lockName, instanceId, seconds, null);
	}

	public Answer renew(String namespace, String lockName, String instanceId, long seconds,
			@Nullable String idempotencyKey) {
		return renew(namespace, lockName, instanceId, seconds, idempotencyKey, null);
	}

	public Answer renew(String namespace, String lockName, String instanceId, long seconds,
			@Nullable String idempotencyKey, @Nullable Long fencingToken) {
		return post(path(namespace, lockName) + "/renew", withToken(lease(instanceId, seconds), fencingToken),
				idempotencyKey);
	}

	public Answer release(String namespace, String lockName, String instanceId) {
		return release(namespace, lockName, instanceId, null);
	}

	public Answer release(String namespace, String lockName, String instanceId, @Nullable Long fencingToken) {
		return post(path(namespace, lockName) + "/release", withToken(instance(instanceId), fencingToken), null);
	}

	private Answer post(String path, ObjectNode body, @Nullable String idempotencyKey) {
		return call("POST", path, body.toString(), (request) -> {
			if (idempotencyKey != null) {
				request.header("Idempotency-Key", idempotencyKey);
			}
		});
	}

	/**
	 * Makes any call; a body is sent as JSON.
	 * @param method the verb
	 * @param path path and query, as they are sent
	 * @param body the body, or {@code null} for none
	 * @return the answer
	 */
	public Answer raw(String method, String path, @Nullable String body) {
		return call(method, path, body, (request) -> {
		});
	}

	/**
	 * Makes any call with headers of its own; a body is sent as JSON unless they say
	 * otherwise.
	 * @param method the verb
	 * @param path path and query, as they are sent
	 * @param body the body, or {@code null} for none
	 * @param headers sets further headers
	 * @return the answer
	 */
	public Answer call(String method, String path, @Nullable String body, Consumer<HttpRequest.Builder> headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(this.base.resolve(path))
			.timeout(PATIENCE)
			.method(method, (body == null) ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
		if (body != null) {
			request.header("Content-Type", "application/json");
		}
		headers.accept(request);
		return checked(method, path, request);
	}

	/**
	 * Makes a call without saying what its body is.
	 * @param method the verb
	 * @param path path and query, as they are sent
	 * @param body the body
	 * @return the answer
	 */
	public Answer send(String method, String path, byte[] body) {
		HttpRequest.Builder request = HttpRequest.newBuilder(this.base.resolve(path))
			.timeout(PATIENCE)
			.method(method, BodyPublishers.ofByteArray(body));
		return checked(method, path, request);
	}

	/**
	 * Opens a stream and closes it once its answer has begun.
	 * @param method GET or HEAD
	 * @param path path and query, as they are sent
	 * @return the status
	 */
	public int statusOfStream(String method, String path) throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(this.base.resolve(path))
			.method(method, BodyPublishers.noBody())
			.timeout(PATIENCE);
		if (this.token != null) {
			request.header("Authorization", "Bearer " + this.token);
		}
		HttpResponse<InputStream> response = this.client.send(request.build(), BodyHandlers.ofInputStream());
		response.body().close();
		return response.statusCode();
	}

	private Answer checked(String method, String path, HttpRequest.Builder request) {
		if (this.token != null) {
			request.header("Authorization", "Bearer " + this.token);
		}
		Answer answer = send(request.build());
		AnswerContract.require(method, path, answer);
		return answer;
	}

	private Answer send(HttpRequest request) {
		try {
			HttpResponse<String> response = this.client.send(request, BodyHandlers.ofString());
			return new Answer(response.statusCode(), response.headers(), json(response.body()), response.body());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while calling " + request.uri(), ex);
		}
	}

	private static JsonNode json(String body) {
		try {
			return JSON.readTree(body);
		}
		catch (JacksonException ex) {
			return JsonNodeFactory.instance.missingNode();
		}
	}

	private static String path(String namespace, String lockName) {
		return "/v1/" + namespace + "/lock/" + lockName;
	}

	private static ObjectNode lease(String instanceId, long seconds) {
		return instance(instanceId).put("leaseDuration", seconds);
	}

	private static ObjectNode withToken(ObjectNode body, @Nullable Long fencingToken) {
		return (fencingToken != null) ? body.put("fencingToken", fencingToken) : body;
	}

	private static ObjectNode instance(String instanceId) {
		return JSON.createObjectNode().put("instanceId", instanceId);
	}

	/**
	 * What was answered.
	 *
	 * @param status the status
	 * @param headers the headers
	 * @param body the body, a missing node if it is no JSON
	 * @param text the body as it came
	 */
	public record Answer(int status, HttpHeaders headers, JsonNode body, String text) {

		/**
		 * A header.
		 * @param name its name
		 * @return its first value, or {@code null} if there is none
		 */
		public @Nullable String header(String name) {
			return this.headers.firstValue(name).orElse(null);
		}

		/**
		 * A number of the body.
		 * @param property its name
		 * @return the number
		 */
		public long number(String property) {
			return this.body.path(property).asLong();
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads server-sent events.
 */
final class EventStream implements Flow.Subscriber<String>, AutoCloseable {

	private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final List<Event> events = new CopyOnWriteArrayList<>();

	private final CompletableFuture<HttpResponse<Void>> response;

	private volatile boolean ended;

	private volatile Flow.@Nullable Subscription subscription;

	private String name = "";

	private EventStream(URI uri, @Nullable String token) {
		HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("Accept", "text/event-stream");
		if (token != null) {
			request.header("Authorization", "Bearer " + token);
		}
		this.response = CLIENT.sendAsync(request.build(), BodyHandlers.fromLineSubscriber(this));
	}

	/**
	 * Opens a stream of an instance on this machine.
	 * @param port where it listens
	 * @param namespace whose locks, or {@code null} for all
	 */
	static EventStream open(int port, @Nullable String namespace) {
		return open(port, namespace, null);
	}

	static EventStream open(int port, @Nullable String namespace, @Nullable String token) {
		String query = (namespace != null) ? "?namespace=" + namespace : "";
		return new EventStream(URI.create("http://127.0.0.1:" + port + "/v1/locks" + query), token);
	}

	/** All events so far. */
	List<Event> events() {
		return List.copyOf(this.events);
	}

	/** The latest event, or one without a name if there is none yet. */
	Event latest() {
		List<Event> all = events();
		return all.isEmpty() ? new Event("", JsonMapper.shared().createObjectNode()) : all.get(all.size() - 1);
	}

	/** The names of the locks in the latest event. */
	List<String> lockNames() {
		return latest().data().path("locks").valueStream().map((lock) -> lock.path("lockName").asString()).toList();
	}

	boolean isEnded() {
		return this.ended;
	}

	@Override
	public void onSubscribe(Flow.Subscription subscription) {
		this.subscription = subscription;
		subscription.request(Long.MAX_VALUE);
	}

	@Override
	public void onNext(String line) {
		if (line.startsWith("event: ")) {
			this.name = line.substring("event: ".length());
		}
		else if (line.startsWith("data: ")) {
			this.events.add(new Event(this.name, JsonMapper.shared().readTree(line.substring("data: ".length()))));
		}
	}

	@Override
	public void onError(Throwable ex) {
		this.ended = true;
	}

	@Override
	public void onComplete() {
		this.ended = true;
	}

	@Override
	public void close() {
		Flow.Subscription open = this.subscription;
		if (open != null) {
			open.cancel();
		}
		this.response.cancel(true);
	}

	/**
	 * An event.
	 *
	 * @param name its name
	 * @param data its data
	 */
	record Event(String name, JsonNode data) {

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;

import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.runtime.environment.Environment;

/**
 * The listeners of a client and of its requests. Each listener of the client has a
 * separate executor, and so has each class of listeners of requests: a listener that
 * blocks delays listeners of its class only. Thread-safe.
 */
final class Listeners {

	private final List<Listening> ofClient;

	private final ConcurrentMap<Class<?>, Executor> ofRequests = new ConcurrentHashMap<>();

	private final Environment environment;

	Listeners(List<LockListener> listeners, Environment environment) {
		this.ofClient = listeners.stream().map((each) -> new Listening(each, environment.listeners())).toList();
		this.environment = environment;
	}

	/** Creates the queues of all listeners for one acquisition. */
	List<NotificationQueue> queues(LockRequest request) {
		List<NotificationQueue> queues = new ArrayList<>();
		this.ofClient
			.forEach((each) -> queues.add(new NotificationQueue(request.key(), each.listener(), each.executor())));
		request.listener()
			.ifPresent((listener) -> queues.add(new NotificationQueue(request.key(), listener, ofRequests(listener))));
		return List.copyOf(queues);
	}

	private Executor ofRequests(LockListener listener) {
		return this.ofRequests.computeIfAbsent(listener.getClass(), (type) -> this.environment.listeners());
	}

	private record Listening(LockListener listener, Executor executor) {
	}

}

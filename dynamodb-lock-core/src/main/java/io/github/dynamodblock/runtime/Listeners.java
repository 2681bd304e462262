/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRequest;

/**
 * The listeners of a client, each with an executor that it shares with none of the
 * others, and one executor for the listeners of requests. A listener that blocks delays
 * itself only. Thread-safe.
 */
final class Listeners {

	private final List<Listening> ofClient;

	private final Executor ofRequests;

	Listeners(List<LockListener> listeners, Environment environment) {
		this.ofClient = listeners.stream().map((each) -> new Listening(each, environment.listeners())).toList();
		this.ofRequests = environment.listeners();
	}

	/** New queues for everybody who is to hear of an acquisition. */
	List<NotificationQueue> queues(LockRequest request) {
		List<NotificationQueue> queues = new ArrayList<>();
		this.ofClient
			.forEach((each) -> queues.add(new NotificationQueue(request.key(), each.listener(), each.executor())));
		request.listener()
			.ifPresent((listener) -> queues.add(new NotificationQueue(request.key(), listener, this.ofRequests)));
		return List.copyOf(queues);
	}

	private record Listening(LockListener listener, Executor executor) {
	}

}

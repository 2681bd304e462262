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
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies the listeners of a client and of its requests. Each listener of the client has
 * a separate executor, and so has each class of listeners of requests: a listener that
 * blocks delays listeners of its class only. Thread-safe.
 */
final class ListenerDispatcher {

	private static final Logger logger = LoggerFactory.getLogger(ListenerDispatcher.class);

	private final List<Subscriber> ofClient;

	private final ConcurrentMap<Class<?>, Executor> ofRequests = new ConcurrentHashMap<>();

	private final Supplier<Executor> executors;

	/**
	 * Creates the dispatcher of a client.
	 * @param listeners the client's listeners
	 * @param executors gives the executor of a listener or class of listeners
	 */
	ListenerDispatcher(List<LockListener> listeners, Supplier<Executor> executors) {
		this.ofClient = listeners.stream().map((each) -> new Subscriber(each, executors.get())).toList();
		this.executors = executors;
	}

	/** Returns the notifications of one acquisition and its lock. */
	Notifications about(LockRequest request) {
		List<Queue> queues = new ArrayList<>();
		this.ofClient.forEach((each) -> queues.add(new Queue(request.key(), each)));
		request.listeners().forEach((listener) -> queues.add(new Queue(request.key(), ofRequest(listener))));
		return new Notifications(List.copyOf(queues));
	}

	private Subscriber ofRequest(LockListener listener) {
		return new Subscriber(listener,
				this.ofRequests.computeIfAbsent(listener.getClass(), (type) -> this.executors.get()));
	}

	private record Subscriber(LockListener listener, Executor executor) {
	}

	/**
	 * Notifies listeners of one acquisition and its lock, each in the order of the
	 * events. Never blocks. Thread-safe.
	 */
	static final class Notifications {

		private final List<Queue> queues;

		private Notifications(List<Queue> queues) {
			this.queues = queues;
		}

		void send(Consumer<LockListener> event) {
			this.queues.forEach((queue) -> queue.add(event));
		}

	}

	/**
	 * The events of one acquisition for one listener.
	 */
	private static final class Queue {

		private final LockKey key;

		private final LockListener listener;

		private final TaskQueue tasks;

		Queue(LockKey key, Subscriber subscriber) {
			this.key = key;
			this.listener = subscriber.listener();
			this.tasks = new TaskQueue(subscriber.executor(), (event, refusal) -> logger
				.error("The executor refused to notify a listener of lock '{}': {}", key, this.listener, refusal));
		}

		void add(Consumer<LockListener> event) {
			this.tasks.add(() -> deliver(event));
		}

		private void deliver(Consumer<LockListener> event) {
			try {
				event.accept(this.listener);
			}
			catch (Throwable ex) {
				// Whatever a listener throws must reach neither the lock nor other
				// listeners.
				logger.error("A listener of lock '{}' failed: {}", this.key, this.listener, ex);
			}
		}

	}

}

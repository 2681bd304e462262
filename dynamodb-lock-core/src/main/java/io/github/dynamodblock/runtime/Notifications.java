/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRequest;

/**
 * Tells listeners about one acquisition and its lock. Each has a queue of its own, so
 * that one that blocks keeps nothing from the others. Never blocks whoever has something
 * to tell. Thread-safe.
 */
final class Notifications {

	private final List<NotificationQueue> queues;

	Notifications(LockKey key, List<LockListener> listeners, Executor executor) {
		this(listeners.stream().map((listener) -> new NotificationQueue(key, listener, executor)).toList());
	}

	private Notifications(List<NotificationQueue> queues) {
		this.queues = queues;
	}

	/**
	 * The notifications about one acquisition and its lock.
	 * @param request the acquisition's request, which may have a listener too
	 * @param listeners the client's listeners
	 * @return the notifications, none of which is told yet
	 */
	static Notifications about(LockRequest request, Listeners listeners) {
		return new Notifications(listeners.queues(request));
	}

	void tell(Consumer<LockListener> event) {
		this.queues.forEach((queue) -> queue.tell(event, false));
	}

	/** Tells the end, after which nothing is told. */
	void tellLast(Consumer<LockListener> event) {
		this.queues.forEach((queue) -> queue.tell(event, true));
	}

}

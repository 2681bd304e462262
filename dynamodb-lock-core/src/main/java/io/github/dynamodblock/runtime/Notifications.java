/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners about one lock, one event after the other, on the executor for them.
 * Never blocks whoever has something to tell. Thread-safe.
 */
final class Notifications {

	private static final Logger logger = LoggerFactory.getLogger(Notifications.class);

	private final HeldLock lock;

	private final List<LockListener> listeners;

	private final Executor executor;

	private final Queue<BiConsumer<LockListener, HeldLock>> events = new ConcurrentLinkedQueue<>();

	private final AtomicInteger untold = new AtomicInteger();

	Notifications(HeldLock lock, List<LockListener> listeners, Executor executor) {
		this.lock = lock;
		this.listeners = listeners;
		this.executor = executor;
	}

	void tell(BiConsumer<LockListener, HeldLock> event) {
		if (this.listeners.isEmpty()) {
			return;
		}
		this.events.add(event);
		if (this.untold.getAndIncrement() == 0) {
			this.executor.execute(this::tellAll);
		}
	}

	private void tellAll() {
		boolean more = true;
		while (more) {
			BiConsumer<LockListener, HeldLock> event = this.events.remove();
			try {
				this.listeners.forEach((listener) -> tell(listener, event));
			}
			finally {
				more = this.untold.decrementAndGet() > 0;
			}
		}
	}

	private void tell(LockListener listener, BiConsumer<LockListener, HeldLock> event) {
		try {
			event.accept(listener, this.lock);
		}
		catch (Throwable ex) {
			// Whatever a listener throws must reach neither the lock nor other listeners.
			logger.error("A lock listener failed for {}: {}", this.lock, listener, ex);
		}
	}

}

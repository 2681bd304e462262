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
import java.util.function.Consumer;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners about one acquisition and its lock, one event after the other, on the
 * executor for them. Never blocks whoever has something to tell. Thread-safe.
 */
final class Notifications {

	private static final Logger logger = LoggerFactory.getLogger(Notifications.class);

	private final LockKey key;

	private final List<LockListener> listeners;

	private final Executor executor;

	private final Queue<Consumer<LockListener>> events = new ConcurrentLinkedQueue<>();

	private final AtomicInteger untold = new AtomicInteger();

	Notifications(LockKey key, List<LockListener> listeners, Executor executor) {
		this.key = key;
		this.listeners = listeners;
		this.executor = executor;
	}

	void tell(Consumer<LockListener> event) {
		if (this.listeners.isEmpty()) {
			return;
		}
		this.events.add(event);
		if (this.untold.getAndIncrement() == 0) {
			begin();
		}
	}

	/** Of what the executor refuses, one event is lost, and not those that follow. */
	private void begin() {
		boolean more = true;
		while (more) {
			try {
				this.executor.execute(this::tellAll);
				more = false;
			}
			catch (Throwable ex) {
				// Out of threads or out of service, it must not harm the lock.
				report(() -> logger.error("The listeners of lock '{}' were not told, since their executor refused",
						this.key, ex));
				this.events.remove();
				more = this.untold.decrementAndGet() > 0;
			}
		}
	}

	private void tellAll() {
		boolean more = true;
		while (more) {
			Consumer<LockListener> event = this.events.remove();
			this.listeners.forEach((each) -> tell(each, event));
			more = this.untold.decrementAndGet() > 0;
		}
	}

	private void tell(LockListener listener, Consumer<LockListener> event) {
		try {
			event.accept(listener);
		}
		catch (Throwable ex) {
			// Whatever a listener throws must reach neither the lock nor other listeners.
			report(() -> logger.error("A listener of lock '{}' failed: {}", this.key, listener, ex));
		}
	}

	private static void report(Runnable logging) {
		try {
			logging.run();
		}
		catch (Throwable ex) {
			// Nor must whatever the log throws: the events after this one are to be told.
			Thread thread = Thread.currentThread();
			thread.getUncaughtExceptionHandler().uncaughtException(thread, ex);
		}
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

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
 * Tells one listener about one acquisition and its lock, one event after the other, on
 * the executor for listeners. Never blocks whoever has something to tell. Thread-safe.
 */
final class NotificationQueue {

	private static final Logger logger = LoggerFactory.getLogger(NotificationQueue.class);

	private final LockKey key;

	private final LockListener listener;

	private final Executor executor;

	private final Queue<Event> events = new ConcurrentLinkedQueue<>();

	/** Whether the last event was told; belongs to who tells. */
	private volatile boolean ended;

	private final AtomicInteger untold = new AtomicInteger();

	NotificationQueue(LockKey key, LockListener listener, Executor executor) {
		this.key = key;
		this.listener = listener;
		this.executor = executor;
	}

	/**
	 * Adds an event.
	 * @param event what to call
	 * @param last whether nothing is told after it: what another thread adds too late is
	 * dropped
	 */
	void tell(Consumer<LockListener> event, boolean last) {
		this.events.add(new Event(event, last));
		if (this.untold.getAndIncrement() == 0) {
			Callbacks.run(this::begin);
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
				report(() -> logger.error("A listener of lock '{}' was not told, since the executor refused: {}",
						this.key, this.listener, ex));
				this.events.remove();
				more = this.untold.decrementAndGet() > 0;
			}
		}
	}

	private void tellAll() {
		boolean more = true;
		while (more) {
			Event event = this.events.remove();
			if (!this.ended) {
				this.ended = event.last();
				deliver(event.call());
			}
			more = this.untold.decrementAndGet() > 0;
		}
	}

	private void deliver(Consumer<LockListener> event) {
		try {
			event.accept(this.listener);
		}
		catch (Throwable ex) {
			// Whatever a listener throws must reach neither the lock nor other listeners.
			report(() -> logger.error("A listener of lock '{}' failed: {}", this.key, this.listener, ex));
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

	private record Event(Consumer<LockListener> call, boolean last) {
	}

}

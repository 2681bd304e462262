/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LossReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * Publishes lock lifecycle callbacks as application events, from when the context has
 * started until it begins to destroy its beans: before and after that, a listener could
 * not be called without making beans out of turn. Thread-safe.
 *
 * <p>
 * The events of all locks are published on one separate thread, one after another. A
 * listener that takes long delays later events, but nothing that the locks depend on. At
 * most 1,000 events wait for listeners. A {@link LockLostEvent} is published before other
 * events that wait, except those of the same lock; when 1,000 events wait, it replaces
 * one of them, and events of other kinds are dropped. A WARN is logged when the first
 * event is dropped, and another one with their number when no event waits any more.
 *
 * <p>
 * Auto-configured, and registered with auto-configured clients. A client that the
 * application builds takes it as {@code builder.listener(lockEventPublisher)}.
 */
public class LockEventPublisher implements LockListener, SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(LockEventPublisher.class);

	private static final int CAPACITY = 1_000;

	private static final long IDLE_SECONDS = 5;

	private final ApplicationEventPublisher publisher;

	private final LockEventQueue queue = new LockEventQueue(CAPACITY);

	/** Whether the thread publishes, or is about to. */
	private final AtomicBoolean publishing = new AtomicBoolean();

	/**
	 * One thread, so that the order needs no care, and not the client's: a listener that
	 * blocks would keep one of those for every lock.
	 */
	private final ThreadPoolExecutor thread = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS,
			new LinkedBlockingQueue<>(), LockEventPublisher::thread);

	private volatile boolean running;

	/**
	 * Creates a publisher that has not started.
	 * @param publisher where the events go
	 */
	public LockEventPublisher(ApplicationEventPublisher publisher) {
		this.publisher = Objects.requireNonNull(publisher, "publisher");
		this.thread.allowCoreThreadTimeOut(true);
	}

	private static Thread thread(Runnable task) {
		Thread thread = new Thread(task, "dynamodb-lock-events");
		thread.setDaemon(true);
		return thread;
	}

	@Override
	public void onAcquired(HeldLock lock) {
		publish(new LockAcquiredEvent(lock));
	}

	@Override
	public void onTakenOver(HeldLock lock, LockRecord previous, Duration silent) {
		publish(new LockTakenOverEvent(lock, previous, silent));
	}

	@Override
	public void onReleased(HeldLock lock) {
		publish(new LockReleasedEvent(lock));
	}

	@Override
	public void onExpiring(HeldLock lock) {
		publish(new LockExpiringEvent(lock));
	}

	@Override
	public void onLost(HeldLock lock, LossReason reason) {
		publish(new LockLostEvent(lock, reason));
	}

	private void publish(LockEvent event) {
		if (!this.running) {
			return;
		}
		if (this.queue.add(event)) {
			logger.warn("Listeners of lock events are too slow: {} events wait, and more are dropped, losses "
					+ "last. Give slow work to @Async", CAPACITY);
		}
		publishOnThread();
	}

	private void publishOnThread() {
		if (this.publishing.compareAndSet(false, true)) {
			this.thread.execute(this::publishAll);
		}
	}

	private void publishAll() {
		try {
			for (LockEvent event = this.queue.poll(); event != null && this.running; event = this.queue.poll()) {
				publishNow(event);
			}
			long dropped = this.queue.takeDropped();
			if (dropped > 0) {
				logger.warn("{} lock events were dropped, because their listeners were too slow", dropped);
			}
		}
		finally {
			this.publishing.set(false);
		}
		if (this.running && !this.queue.isEmpty()) {
			// Lost a race with publish(): an event came after the last poll.
			publishOnThread();
		}
	}

	private void publishNow(LockEvent event) {
		try {
			this.publisher.publishEvent(event);
		}
		catch (RuntimeException | Error ex) {
			// An error, too, as of a missing class: events that wait are published.
			logger.error("A listener of {} failed for lock '{}'", event.getClass().getSimpleName(), event.key(), ex);
		}
	}

	@Override
	public void start() {
		this.running = true;
	}

	/** Drops what was not published yet, and waits for no listener. */
	@Override
	public void stop() {
		this.running = false;
		this.queue.clear();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** First to start and last to stop, since others lock while they do. */
	@Override
	public int getPhase() {
		return Integer.MIN_VALUE;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import java.util.Objects;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LossReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * Publishes what a lock client tells as application events, from when the context has
 * started until it begins to destroy its beans: before and after that, a listener could
 * not be called without making beans out of turn. Thread-safe.
 *
 * <p>
 * Auto-configured, and registered with auto-configured clients. A client that the
 * application builds takes it as {@code builder.listener(lockEventPublisher)}.
 */
public final class LockEventPublisher implements LockListener, SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(LockEventPublisher.class);

	private final ApplicationEventPublisher publisher;

	private volatile boolean running;

	/**
	 * Creates a publisher that has not started.
	 * @param publisher where the events go
	 */
	public LockEventPublisher(ApplicationEventPublisher publisher) {
		this.publisher = Objects.requireNonNull(publisher, "publisher");
	}

	@Override
	public void onAcquired(HeldLock lock) {
		publish(new LockAcquiredEvent(lock));
	}

	@Override
	public void onReleased(HeldLock lock) {
		publish(new LockReleasedEvent(lock));
	}

	@Override
	public void onInDanger(HeldLock lock) {
		publish(new LockInDangerEvent(lock));
	}

	@Override
	public void onLost(HeldLock lock, LossReason reason) {
		publish(new LockLostEvent(lock, reason));
	}

	private void publish(LockEvent event) {
		if (!this.running) {
			return;
		}
		try {
			this.publisher.publishEvent(event);
		}
		catch (RuntimeException ex) {
			logger.error("A listener of {} failed for lock '{}'", event.getClass().getSimpleName(), event.key(), ex);
		}
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
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

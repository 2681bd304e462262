/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import java.time.Duration;
import java.util.Objects;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LossReason;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * Publishes lock lifecycle callbacks as application events, from when the context has
 * started until it begins to destroy its beans: before and after that, a listener could
 * not be called without making beans out of turn. Thread-safe.
 *
 * <p>
 * Events are published on the threads on which the lock client calls its listeners. A
 * listener that takes long delays later events of the same lock, but nothing that the
 * lock depends on.
 *
 * <p>
 * Auto-configured, and registered with auto-configured clients. A client that the
 * application builds takes it as {@code builder.listener(lockEventPublisher)}.
 */
public class LockEventPublisher implements LockListener, SmartLifecycle {

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
		if (this.running) {
			this.publisher.publishEvent(event);
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

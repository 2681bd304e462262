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
 * Publishes lock lifecycle callbacks as application events while the context is running.
 * Nothing is published before the context starts its lifecycle beans or after it has
 * stopped them, because calling a listener could create beans out of order. Thread-safe.
 *
 * <p>
 * Events are published on the lock client's listener threads. A slow listener delays
 * later events of the same lock, but not the lock.
 *
 * <p>
 * Auto-configured, and registered with auto-configured clients. For a client that the
 * application builds, register it with {@code builder.listener(lockEventPublisher)}.
 */
public class LockEventPublisher implements LockListener, SmartLifecycle {

	private final ApplicationEventPublisher publisher;

	private volatile boolean running;

	/**
	 * Creates a publisher that has not started.
	 * @param publisher the publisher that receives the events
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
	public void onContended(HeldLock lock) {
		publish(new LockContendedEvent(lock));
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

	/** Drops unpublished events, and does not wait for listeners. */
	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** Starts first and stops last, because beans lock while they start and stop. */
	@Override
	public int getPhase() {
		return Integer.MIN_VALUE;
	}

}

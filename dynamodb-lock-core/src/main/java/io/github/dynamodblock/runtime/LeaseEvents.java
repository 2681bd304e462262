/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockListener;
import org.jspecify.annotations.Nullable;

/**
 * What listeners are told of one lease: that it was acquired, then what happens to it,
 * and one end at most. Nobody is told of a lock that its holder never had in hand.
 * Thread-safe.
 */
final class LeaseEvents implements HeartbeatLoop.Events {

	private final HeldLock lock;

	private final Notifications notifications;

	/** Whether the holder has ever had the lock in hand, and listeners know it. */
	private volatile boolean begun;

	private final AtomicReference<@Nullable BiConsumer<LockListener, HeldLock>> end = new AtomicReference<>();

	private final AtomicBoolean endTold = new AtomicBoolean();

	LeaseEvents(HeldLock lock, Notifications notifications) {
		this.lock = lock;
		this.notifications = notifications;
	}

	/**
	 * Tells that the lock was acquired, and its end if that came first.
	 */
	void begin() {
		this.notifications.tell((listener) -> listener.onAcquired(this.lock));
		this.begun = true;
		tellEnd();
	}

	boolean hasBegun() {
		return this.begun;
	}

	/**
	 * Tells how the lease ended, unless another end came before.
	 */
	void end(BiConsumer<LockListener, HeldLock> event) {
		this.end.compareAndSet(null, event);
		tellEnd();
	}

	/** Whoever comes second, the end or the beginning, finds both and tells it. */
	private void tellEnd() {
		BiConsumer<LockListener, HeldLock> event = this.end.get();
		if (this.begun && event != null && this.endTold.compareAndSet(false, true)) {
			tell(event);
		}
	}

	/**
	 * Tells what happened to the lease on the way.
	 */
	void tell(BiConsumer<LockListener, HeldLock> event) {
		if (this.begun) {
			this.notifications.tell((listener) -> event.accept(listener, this.lock));
		}
	}

	@Override
	public void renewed() {
		tell(LockListener::onRenewed);
	}

	@Override
	public void renewalFailed(Throwable cause) {
		tell((listener, held) -> listener.onRenewalFailed(held, cause));
	}

}

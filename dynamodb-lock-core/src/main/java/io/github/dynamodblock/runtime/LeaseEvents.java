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
import io.github.dynamodblock.LossReason;
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

	private final AtomicReference<@Nullable End> end = new AtomicReference<>();

	private final AtomicBoolean endTold = new AtomicBoolean();

	private final LockLog log;

	/** The heartbeats in a row that failed. */
	private final AtomicReference<@Nullable Failures> failures = new AtomicReference<>();

	LeaseEvents(HeldLock lock, Notifications notifications, LockLog log) {
		this.lock = lock;
		this.notifications = notifications;
		this.log = log;
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
		this.end.compareAndSet(null, new End(event, null));
		tellEnd();
	}

	/**
	 * Reports a loss, unless another end came before.
	 */
	void lost(LossReason reason) {
		this.end.compareAndSet(null, new End((listener, held) -> listener.onLost(held, reason), reason));
		tellEnd();
	}

	/** Whoever comes second, the end or the beginning, finds both and tells it. */
	private void tellEnd() {
		End reached = this.end.get();
		if (this.begun && reached != null && this.endTold.compareAndSet(false, true)) {
			this.notifications.tellLast((listener) -> reached.event().accept(listener, this.lock));
			if (reached.loss() != null) {
				this.log.lost(this.lock, reached.loss(), failures());
			}
		}
	}

	void expiring() {
		tell(LockListener::onExpiring);
		if (this.begun) {
			this.log.expiring(this.lock, failures());
		}
	}

	void recovered() {
		tell(LockListener::onRecovered);
		if (this.begun) {
			this.log.recovered(this.lock);
		}
	}

	private String failures() {
		Failures failed = this.failures.get();
		return (failed == null) ? ""
				: ". Heartbeats that failed: " + failed.count() + ". Last error: " + LogText.of(failed.last());
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
		this.failures.set(null);
		tell(LockListener::onRenewed);
	}

	@Override
	public void renewalFailed(Throwable cause) {
		this.failures.updateAndGet((before) -> new Failures((before != null) ? before.count() + 1 : 1, cause));
		tell((listener, held) -> listener.onRenewalFailed(held, cause));
	}

	/**
	 * Heartbeats that failed in a row.
	 *
	 * @param count how many
	 * @param last what the last one ended with
	 */
	private record Failures(int count, Throwable last) {
	}

	/**
	 * How the lease ended.
	 *
	 * @param event how to notify listeners
	 * @param loss why it was lost, or {@code null} if it was not
	 */
	private record End(BiConsumer<LockListener, HeldLock> event, @Nullable LossReason loss) {
	}

}

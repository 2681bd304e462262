/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

/**
 * Told what happens to held locks. Set one on a client for all its locks, or on a request
 * for one.
 *
 * <p>
 * Calls for one lock come one at a time and in order, on threads of their own: a listener
 * that blocks or throws harms no lock. What it throws is logged. By the time of the call
 * the lock may have changed again; ask the {@link HeldLock}.
 */
public interface LockListener {

	/**
	 * A lock was granted.
	 * @param lock the lock
	 */
	default void onAcquired(HeldLock lock) {
	}

	/**
	 * A lock was released by its holder, and is free.
	 * @param lock the lock
	 */
	default void onReleased(HeldLock lock) {
	}

	/**
	 * Heartbeats have failed for so long that the lock will be lost soon.
	 * @param lock the lock, still held
	 */
	default void onInDanger(HeldLock lock) {
	}

	/**
	 * A heartbeat came through again after {@link #onInDanger}.
	 * @param lock the lock
	 */
	default void onRecovered(HeldLock lock) {
	}

	/**
	 * The lock was lost. Told exactly once, and not after a release.
	 * @param lock the lock, no longer held
	 * @param reason why
	 */
	default void onLost(HeldLock lock, LossReason reason) {
	}

}

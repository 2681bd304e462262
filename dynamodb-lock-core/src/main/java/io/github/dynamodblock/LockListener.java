/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Told of every step of acquisitions and held locks; metrics hang here. Set one on a
 * client for all its locks, or on a request for one.
 *
 * <p>
 * A listener's calls for one acquisition and its lock come one at a time and in order, on
 * the client's listener executor. By default these are threads of the client: each of its
 * listeners has up to 32, and so has each class of listeners of requests. Listeners that
 * block all of these threads delay calls of listeners of their class; they harm neither
 * locks nor other listeners. What it throws is logged. By the time of the call the lock
 * may have changed again; ask the {@link HeldLock}. Listeners are called from several
 * threads at once: for different locks, and each without waiting for the others.
 *
 * <pre>{@code
 * LockClient client = LockClient.builder(dynamoDbClient).listener(new LockListener() {
 *     public void onLost(HeldLock lock, LossReason reason) {
 *         logger.error("{} was lost: {}", lock.key(), reason);
 *     }
 * }).build();
 * }</pre>
 */
public interface LockListener {

	/**
	 * An acquisition waits, because somebody else holds the lock. Told once for each.
	 * @param request what is being acquired
	 * @param holder the lock as it was seen; {@code null} if others of this client are
	 * first in line and the lock was not looked at
	 */
	default void onWaiting(LockRequest request, @Nullable LockRecord holder) {
	}

	/**
	 * A lock was granted. {@link HeldLock#acquisitionTime()} says how long that took.
	 * @param lock the lock
	 */
	default void onAcquired(HeldLock lock) {
	}

	/**
	 * The lock was taken over: its owner before had neither renewed nor released it for a
	 * whole lease, so it has probably died. Called after {@link #onAcquired}.
	 * @param lock the lock
	 * @param previous the lock as its owner before held it
	 * @param silent for how long this client has seen no heartbeat of that owner, at
	 * least its lease
	 */
	default void onTakenOver(HeldLock lock, LockRecord previous, Duration silent) {
	}

	/**
	 * An acquisition ended without the lock.
	 * @param request what was to be acquired
	 * @param waited how long the caller waited
	 * @param reason {@link LockNotGrantedException} if others held it or the caller gave
	 * up, otherwise what went wrong
	 */
	default void onAcquireFailed(LockRequest request, Duration waited, LockException reason) {
	}

	/**
	 * A heartbeat was confirmed.
	 * @param lock the lock
	 */
	default void onRenewed(HeldLock lock) {
	}

	/**
	 * A heartbeat was not confirmed. The lock stays held until its lease ends, and
	 * heartbeats go on.
	 * @param lock the lock
	 * @param cause what went wrong
	 */
	default void onRenewalFailed(HeldLock lock, Throwable cause) {
	}

	/**
	 * The lock will be lost soon: heartbeats have failed for long, or a lease that is not
	 * renewed automatically is near its end.
	 * @param lock the lock, still held
	 */
	default void onExpiring(HeldLock lock) {
	}

	/**
	 * A heartbeat came through after {@link #onExpiring}.
	 * @param lock the lock
	 */
	default void onRecovered(HeldLock lock) {
	}

	/**
	 * A lock was released by its holder, and is free.
	 * @param lock the lock
	 */
	default void onReleased(HeldLock lock) {
	}

	/**
	 * A release by the holder, or at the end of {@link LockRequest#holdAtLeast}, ended
	 * without an answer that says what became of the lock: DynamoDB refused it, or did
	 * not answer until the lease was over. No heartbeat follows, so the lock frees itself
	 * one lease after its last one. This is the end of the handle: it is told exactly
	 * once, and neither {@link #onReleased}, {@link #onDetached} nor {@link #onLost}
	 * comes before or after it, even if the holder releases once more and that succeeds.
	 * @param lock the lock, no longer held by this handle
	 * @param cause what went wrong
	 */
	default void onReleaseFailed(HeldLock lock, LockException cause) {
	}

	/**
	 * The handle was ended by {@link HeldLock#detach()}; the lock stays held.
	 * @param lock the lock, no longer held by this handle
	 */
	default void onDetached(HeldLock lock) {
	}

	/**
	 * The lock was lost, as a heartbeat, the clock or the release found. Told exactly
	 * once, and not after {@link #onReleased}, {@link #onReleaseFailed} or
	 * {@link #onDetached}.
	 * @param lock the lock, no longer held
	 * @param reason why
	 */
	default void onLost(HeldLock lock, LossReason reason) {
	}

}

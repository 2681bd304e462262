/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Receives lock lifecycle callbacks, for example to record metrics. Set a listener on a
 * client for all its locks, or on a request for one lock.
 *
 * <p>
 * <b>Threads.</b> Callbacks for one acquisition and its lock run one at a time and in
 * order, on the client's listener executor. Callbacks for different locks, and of
 * different listeners, run concurrently: implementations must be thread-safe. Up to 8
 * callbacks of a client's listener run at a time. All request listeners of one class
 * share another 8. If all 8 block, only callbacks of that listener or class are delayed.
 * Exceptions of a listener are logged. When a callback runs, the lock may have changed
 * again; {@link HeldLock} shows its current state.
 *
 * <p>
 * <b>Slow listeners.</b> If 10,000 callbacks are waiting for a listener, or for a class
 * of request listeners, the client drops some callbacks until half of them have run. It
 * drops callbacks for heartbeats and expiry warnings, and all callbacks for locks that
 * are requested in that time. It logs this.
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
	 * Called once for an acquisition that waits, because another owner holds the lock or
	 * another acquisition of this client is ahead of it in the queue.
	 * @param holder the lock as it was last read, or {@code null} if the acquisition is
	 * queued and has not read the lock
	 */
	default void onWaiting(LockRequest request, @Nullable LockRecord holder) {
	}

	/**
	 * Called when a lock was granted. {@link HeldLock#acquisitionTime()} is how long that
	 * took.
	 */
	default void onAcquired(HeldLock lock) {
	}

	/**
	 * Called after {@link #onAcquired} if the lock was taken over from an owner that had
	 * neither renewed nor released it for a whole lease. That owner has probably crashed.
	 * Not called if this client last read the lock before this acquisition began, and
	 * less than half of the owner's lease had passed by then: the owner may have released
	 * the lock since. It is called, though, if a
	 * {@linkplain LockClientBuilder#clockSkewBound clock bound} shows that the lease has
	 * ended.
	 * @param previous the lock as the previous owner held it
	 * @param silent how long this client has seen no heartbeat from that owner; at least
	 * the owner's lease
	 */
	default void onTakenOver(HeldLock lock, LockRecord previous, Duration silent) {
	}

	/**
	 * Called when an acquisition ended without the lock.
	 * @param waited the time for which the caller waited
	 * @param reason {@link ConditionNotMetException} if the item did not meet the
	 * request's condition, {@link LockNotGrantedException} if another owner held the lock
	 * or the caller gave up, otherwise the failure
	 */
	default void onAcquireFailed(LockRequest request, Duration waited, LockException reason) {
	}

	/** Called when a heartbeat was confirmed. */
	default void onRenewed(HeldLock lock) {
	}

	/**
	 * Called when a heartbeat was not confirmed. The lock stays held until its lease
	 * expires, and heartbeats continue.
	 */
	default void onRenewalFailed(HeldLock lock, Throwable cause) {
	}

	/**
	 * Called when the lock will be lost soon, because its heartbeats have failed for some
	 * time, or because it is not renewed automatically and its lease is near its end.
	 */
	default void onExpiring(HeldLock lock) {
	}

	/** Called when a heartbeat was confirmed after {@link #onExpiring}. */
	default void onRecovered(HeldLock lock) {
	}

	/**
	 * Called once for a lock, when its grant or a heartbeat shows that another client
	 * waits for it. From then on, {@link HeldLock#isContended()} is {@code true}.
	 */
	default void onContended(HeldLock lock) {
	}

	/**
	 * Called when the holder's release was confirmed, or when the client handed the lock
	 * on to its next waiting acquisition. Also called if the client closes while it keeps
	 * a released lock until its {@link LockRequest#holdAtLeast} is over.
	 */
	default void onReleased(HeldLock lock) {
	}

	/**
	 * Called when a release failed, because DynamoDB rejected it or did not answer before
	 * the lease ended. This applies to the holder's release and to the later release of a
	 * lock with {@link LockRequest#holdAtLeast}. Heartbeats have stopped, so the lock
	 * expires one lease after the last heartbeat. Runs exactly once, as the last callback
	 * for this lock: {@link #onReleased}, {@link #onDetached} and {@link #onLost} do not
	 * follow, even if a later release succeeds.
	 */
	default void onReleaseFailed(HeldLock lock, LockException cause) {
	}

	/** Called when {@link HeldLock#detach()} ended the handle. The lock stays held. */
	default void onDetached(HeldLock lock) {
	}

	/**
	 * Called when a heartbeat, the clock or the release has detected that the lock was
	 * lost. Runs exactly once for a lost lock, and not after {@link #onReleased},
	 * {@link #onReleaseFailed} or {@link #onDetached}.
	 */
	default void onLost(HeldLock lock, LossReason reason) {
	}

}

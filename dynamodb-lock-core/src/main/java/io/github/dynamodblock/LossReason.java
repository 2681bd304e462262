/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

/**
 * Why a lock was lost while its handle had not been released.
 *
 * <pre>{@code
 * if (lock.lossReason().equals(Optional.of(LossReason.EXPIRED))) {
 *     logger.warn("No heartbeat of {} came through in time", lock.key());
 * }
 * }</pre>
 */
public enum LossReason {

	/**
	 * No heartbeat was confirmed in time: the store was slow or out of reach, or this
	 * process stood still.
	 */
	EXPIRED,

	/**
	 * The lock was held for longer than {@link LockRequest#holdAtMost}: the guarded work
	 * hangs or takes longer than expected. Heartbeats have stopped, so that other clients
	 * can acquire the lock at most one lease later.
	 */
	HELD_TOO_LONG,

	/** Another owner has the lock. */
	STOLEN,

	/** The lock's item was deleted. */
	ITEM_MISSING,

	/** The lock table was deleted. */
	TABLE_MISSING,

	/** Somebody released the lock in this owner's name. */
	RELEASED_BY_ADMINISTRATOR,

	/** The client was closed while the lock was held. */
	CLOSED

}

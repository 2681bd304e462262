/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

/**
 * The reasons why a lock is lost before its handle is released.
 *
 * <pre>{@code
 * if (lock.lossReason().equals(Optional.of(LossReason.EXPIRED))) {
 *     logger.warn("No heartbeat of {} was confirmed in time", lock.key());
 * }
 * }</pre>
 */
public enum LossReason {

	/**
	 * No heartbeat was confirmed in time: DynamoDB was slow or not reachable, or this
	 * process was paused.
	 */
	EXPIRED,

	/**
	 * The lock was held for longer than {@link LockRequest#holdAtMost}: the guarded work
	 * hangs or takes longer than expected. The client releases the lock in the
	 * background, so that other clients can acquire it although that work may still run.
	 */
	HELD_TOO_LONG,

	/** Another owner acquired the lock. */
	STOLEN,

	/** The lock's item was deleted. */
	ITEM_MISSING,

	/** The lock table was deleted. */
	TABLE_MISSING,

	/**
	 * The lock was released in this owner's name, by {@link LockClient#forceRelease} or
	 * with its token.
	 */
	RELEASED_BY_ADMINISTRATOR,

	/** The client was closed, or closed for a checkpoint, while the lock was held. */
	CLOSED

}

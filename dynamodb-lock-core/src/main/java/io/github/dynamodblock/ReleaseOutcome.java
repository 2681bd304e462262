/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

/**
 * What a release did.
 *
 * <pre>{@code
 * if (lock.release() == ReleaseOutcome.LOST) {
 *     logger.warn("{} was lost: {}", lock.key(), lock.lossReason());
 * }
 * }</pre>
 */
public enum ReleaseOutcome {

	/**
	 * The lock was held and is now free. Where an earlier try of the same release went
	 * unanswered, somebody else may hold it by now.
	 */
	RELEASED,

	/**
	 * The lock was requested with a time to be held at least, which is not over: this
	 * client keeps it until then and releases it by itself.
	 */
	KEPT,

	/** This handle had been released before; nothing was sent. */
	ALREADY_RELEASED,

	/**
	 * The lock had been lost before the release; nobody else's lock was touched.
	 * {@link HeldLock#lossReason()} says how.
	 */
	LOST,

	/** This handle was detached: the lock stays held under its {@link LockToken}. */
	DETACHED,

	/** Nobody held the lock: it had been released before, or its item deleted. */
	ALREADY_FREE,

	/** Another owner holds the lock, or the token is no longer the newest. */
	HELD_BY_ANOTHER,

	/**
	 * DynamoDB did not confirm a release that was asked for as a best effort. Unless it
	 * was applied, the lock frees itself one lease after its last heartbeat.
	 */
	UNCONFIRMED

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

/**
 * Results of a release.
 *
 * <pre>{@code
 * if (lock.release() == ReleaseOutcome.LOST) {
 *     logger.warn("{} was lost: {}", lock.key(), lock.lossReason());
 * }
 * }</pre>
 */
public enum ReleaseOutcome {

	/**
	 * The lock was held and is released, or the client handed it on to its next waiting
	 * acquisition. A lock that was lost can still be handed on if no heartbeat has
	 * detected the loss. If an earlier attempt of the same release was not answered,
	 * another owner may already have acquired the lock.
	 */
	RELEASED,

	/**
	 * The lock's {@link LockRequest#holdAtLeast} is not over. The client keeps the lock
	 * until then and releases it in the background.
	 */
	KEPT,

	/** The handle had already been released. Nothing was sent. */
	ALREADY_RELEASED,

	/**
	 * The lock was lost before the release, for the reason {@link HeldLock#lossReason()}.
	 * The lock of another owner was not changed. If the lease had expired and no other
	 * client had acquired the lock, its item was released, with the request's change.
	 */
	LOST,

	/** The handle was detached. The lock stays held under its {@link LockToken}. */
	DETACHED,

	/** No owner held the lock: it was released before, or its item was deleted. */
	ALREADY_FREE,

	/** Another owner holds the lock, or the token is no longer the newest. */
	HELD_BY_ANOTHER

}

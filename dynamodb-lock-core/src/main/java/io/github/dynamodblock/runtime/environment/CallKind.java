/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

/**
 * What a call is for, in the order in which calls that wait are sent. However many calls
 * of a kind hang, they leave slots to the kinds before it.
 */
public enum CallKind {

	/** Keeps a lock. Heartbeats share no slots with other calls. */
	HEARTBEAT(0),

	/** Keeps a lock whose last heartbeat hung. */
	HUNG_HEARTBEAT(2),

	/** Releases a lock, or does what a token or an administrator asks for. */
	RELEASE(0),

	/** The holder of a lock waits for it. */
	HOLDER(10),

	/** A caller waits for it who needs no lock. */
	READ(5),

	/** Acquires a lock, or is for later acquisitions. */
	ACQUIRE(5);

	/** One of so many slots is left to the kinds before; none if this is zero. */
	private final int leavesOneOf;

	CallKind(int leavesOneOf) {
		this.leavesOneOf = leavesOneOf;
	}

	boolean isHeartbeat() {
		return this == HEARTBEAT || this == HUNG_HEARTBEAT;
	}

	/**
	 * Returns how many calls of this kind, and of those after it, are under way at a
	 * time.
	 * @param slots how many calls are under way at a time
	 */
	int limit(int slots) {
		int left = (this.leavesOneOf == 0) ? 0 : (slots + this.leavesOneOf - 1) / this.leavesOneOf;
		return Math.max(1, slots - left);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

/**
 * What a call is for. Waiting calls are sent in this order. However many calls of a kind
 * hang, they leave call slots to the kinds before it.
 */
public enum CallKind {

	/** Keeps a lock. Heartbeats share no slots with other calls. */
	HEARTBEAT(0),

	/** Keeps a lock whose last heartbeat hung. */
	HUNG_HEARTBEAT(2),

	/** Releases a lock, or carries out an operation by a token or an administrator. */
	RELEASE(0),

	/** The holder of a lock waits for the call. */
	HOLDER(10),

	/** A caller without a lock waits for the call. */
	READ(5),

	/** Acquires a lock, or prepares later acquisitions. */
	ACQUIRE(5);

	/**
	 * One of this many call slots is left to the kinds before it; none if this is zero.
	 */
	private final int leavesOneOf;

	CallKind(int leavesOneOf) {
		this.leavesOneOf = leavesOneOf;
	}

	boolean isHeartbeat() {
		return this == HEARTBEAT || this == HUNG_HEARTBEAT;
	}

	/**
	 * Returns how many calls of this kind and the kinds after it may be under way at a
	 * time.
	 * @param slots how many calls of all kinds may be under way at a time
	 */
	int limit(int slots) {
		int left = (this.leavesOneOf == 0) ? 0 : (slots + this.leavesOneOf - 1) / this.leavesOneOf;
		return Math.max(1, slots - left);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

/**
 * What a call is for. Waiting calls are sent in this order. Even if all calls of a kind
 * hang, call slots are left for the kinds before it.
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
	 * Reserves one in this many call slots for the kinds before it; zero reserves none.
	 */
	private final int leavesOneOf;

	CallKind(int leavesOneOf) {
		this.leavesOneOf = leavesOneOf;
	}

	boolean isHeartbeat() {
		return this == HEARTBEAT || this == HUNG_HEARTBEAT;
	}

	/**
	 * Returns the limit of concurrent calls of this kind and the kinds after it,
	 * together.
	 * @param slots the limit for all kinds
	 */
	int limit(int slots) {
		int left = (this.leavesOneOf == 0) ? 0 : (slots + this.leavesOneOf - 1) / this.leavesOneOf;
		return Math.max(1, slots - left);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.util.function.IntUnaryOperator;

/**
 * What a call is for, in the order in which calls that wait are sent. However many calls
 * of a kind hang, they leave slots to the kinds before it.
 */
public enum CallKind {

	/** Keeps a lock. Heartbeats share no slots with other calls. */
	HEARTBEAT((slots) -> slots),

	/** Keeps a lock whose last heartbeat hung. */
	HUNG_HEARTBEAT((slots) -> slots / 2),

	/** Releases a lock, or does what a token or an administrator asks for. */
	RELEASE((slots) -> slots),

	/** The holder of a lock waits for it. */
	HOLDER((slots) -> slots - (slots + 9) / 10),

	/** A caller waits for it who needs no lock. */
	READ((slots) -> slots - (slots + 4) / 5),

	/** Acquires a lock, or is for later acquisitions. */
	ACQUIRE((slots) -> slots - (slots + 4) / 5);

	private final IntUnaryOperator limit;

	CallKind(IntUnaryOperator limit) {
		this.limit = limit;
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
		return Math.max(1, this.limit.applyAsInt(slots));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.time.Instant;

import io.github.dynamodblock.samples.support.Clock;

/**
 * A time that a node spent under a lock.
 *
 * @param key the lock's key
 * @param node which node
 * @param token its fencing token
 * @param begin the first statement under the lock
 * @param end the last one; where the node died before it, the node's end
 * @param cutShort whether the node died before the last statement
 */
record Section(String key, String node, long token, Instant begin, Instant end, boolean cutShort) {

	/**
	 * Whether both sections had their lock at one moment. Sections that only touch do
	 * not.
	 */
	boolean overlaps(Section other) {
		return this.begin.isBefore(other.end) && other.begin.isBefore(this.end);
	}

	@Override
	public String toString() {
		return this.node + " from " + Clock.show(this.begin) + " to " + Clock.show(this.end) + " (token " + this.token
				+ ")";
	}

}

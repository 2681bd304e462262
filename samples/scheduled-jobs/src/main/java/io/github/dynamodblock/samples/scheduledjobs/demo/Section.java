/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.demo;

import java.time.Instant;

import io.github.dynamodblock.samples.demo.Times;

/**
 * A time in which a node worked under a lock.
 *
 * @param key the lock's key
 * @param node the node
 * @param token the fencing token
 * @param begin the first statement under the lock
 * @param end the last one, or the end of the node if it died before
 * @param cutShort whether the node died before the last statement
 */
record Section(String key, String node, long token, Instant begin, Instant end, boolean cutShort) {

	/**
	 * Returns whether both sections had their lock at one moment. Sections that only
	 * touch did not.
	 */
	boolean overlaps(Section other) {
		return this.begin.isBefore(other.end) && other.begin.isBefore(this.end);
	}

	@Override
	public String toString() {
		return this.node + " from " + Times.timeOfDay(this.begin) + " to " + Times.timeOfDay(this.end) + " (token "
				+ this.token + ")";
	}

}

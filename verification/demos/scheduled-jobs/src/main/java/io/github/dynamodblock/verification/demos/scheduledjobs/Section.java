/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.time.Duration;
import java.time.Instant;

import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.harness.Times;
import org.jspecify.annotations.Nullable;

/**
 * A time in which a node worked under a lock.
 *
 * @param key the lock's key
 * @param node the node
 * @param token the fencing token
 * @param begin the first statement under the lock
 * @param end the last one, or the end of the node if it died before
 * @param cutShort whether the node died or stopped before the last statement
 * @param tick the tick of a job; {@code null} for other work, and for a run without one
 * @param attempt the attempt of that tick, from 1
 */
record Section(String key, String node, long token, Instant begin, Instant end, boolean cutShort,
		@Nullable Instant tick, int attempt) {

	/**
	 * Creates a section out of the event at its begin.
	 * @param begin has the token and, for a job, the tick in milliseconds and the attempt
	 */
	static Section of(Event begin, Instant end, boolean cutShort) {
		return new Section(begin.subject(), begin.node(), begin.token(), begin.time(), end, cutShort, tickOf(begin),
				(int) begin.number(2));
	}

	/** Returns the tick of an event, or {@code null} if it has none. */
	static @Nullable Instant tickOf(Event event) {
		return (event.number(1) != 0) ? Instant.ofEpochMilli(event.number(1)) : null;
	}

	/**
	 * Returns whether both sections had their lock at one time. Sections that only touch
	 * did not.
	 */
	boolean overlaps(Section other) {
		return this.begin.isBefore(other.end) && other.begin.isBefore(this.end);
	}

	/** Returns whether this is the run of a tick that ended before a time. */
	boolean isRunOf(Instant due, Instant before) {
		return due.equals(this.tick) && !this.cutShort && this.end.isBefore(before);
	}

	Duration duration() {
		return Duration.between(this.begin, this.end);
	}

	@Override
	public String toString() {
		return this.node + " from " + Times.timeOfDay(this.begin) + " to " + Times.timeOfDay(this.end) + " (token "
				+ this.token + ")";
	}

}

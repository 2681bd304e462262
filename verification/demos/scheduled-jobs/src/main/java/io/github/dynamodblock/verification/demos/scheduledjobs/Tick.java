/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.time.Instant;

import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.harness.Times;

/**
 * A tick of a job.
 *
 * @param key the key of the job's lock
 * @param time when it is due
 */
record Tick(String key, Instant time) {

	/** Returns the tick of an event that has one. */
	static Tick of(Event event) {
		return new Tick(event.subject(), Instant.ofEpochMilli(event.number(1)));
	}

	@Override
	public String toString() {
		return "tick " + Times.timeOfDay(this.time) + " of " + this.key;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.time.Instant;

/**
 * Makes times and sections out of seconds.
 */
final class Sections {

	private static final Instant START = Instant.parse("2026-05-04T03:00:00Z");

	private Sections() {
	}

	static Instant at(double seconds) {
		return START.plusMillis(Math.round(seconds * 1000));
	}

	static Section section(String key, String node, long token, double begin, double end) {
		return new Section(key, node, token, at(begin), at(end), false, null, 0);
	}

	static Section cutShort(String key, String node, long token, double begin, double end) {
		return new Section(key, node, token, at(begin), at(end), true, null, 0);
	}

	/** A run of a tick, */
	static Section run(Job job, String node, double tick, int attempt, double begin, double end) {
		return new Section(job.key(), node, 1, at(begin), at(end), false, at(tick), attempt);
	}

	static Section cutShort(Section run) {
		return new Section(run.key(), run.node(), run.token(), run.begin(), run.end(), true, run.tick(), run.attempt());
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a simulated run has shown: the violations, and how often each event happened.
 */
final class JobFindings {

	/** Prints what happens: {@code -Djobs.record=true}. */
	private static final boolean RECORDING = Boolean.getBoolean("jobs.record");

	private final SimulatedTime time;

	private final List<String> violations = new ArrayList<>();

	private final Map<String, Integer> counts = new TreeMap<>();

	JobFindings(SimulatedTime time) {
		this.time = time;
	}

	List<String> violations() {
		return this.violations;
	}

	Map<String, Integer> counts() {
		return this.counts;
	}

	void count(String what) {
		count(what, 1);
	}

	void count(String what, int times) {
		this.counts.merge(what, times, Integer::sum);
	}

	/** For people who look for the cause of a violation. */
	void note(Object who, String what, Object details) {
		if (RECORDING) {
			System.out.println(this.time.now() + " " + who + " " + what + " " + details);
		}
	}

	void violation(String text) {
		note("!", "violation", text);
		this.violations.add(text + ": at " + this.time.now());
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.demo;

import java.util.List;
import java.util.stream.Stream;

import io.github.dynamodblock.samples.demo.Verdict;

/**
 * What a checker found.
 *
 * @param problems the violations; empty if there are none
 * @param figures what was counted and measured
 */
record Findings(List<String> problems, String figures) {

	Findings {
		problems = List.copyOf(problems);
	}

	/** Adds what another checker found. */
	Findings and(Findings other) {
		return new Findings(Stream.concat(this.problems.stream(), other.problems.stream()).toList(),
				this.figures + ", " + other.figures);
	}

	Verdict verdict() {
		if (this.problems.isEmpty()) {
			return Verdict.ok(this.figures);
		}
		int more = this.problems.size() - 1;
		return Verdict.failed(this.problems.get(0) + ((more > 0) ? " (and " + more + " more)" : ""));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.util.ArrayList;
import java.util.List;

/**
 * What a check found.
 *
 * @param status whether what was checked holds
 * @param summary one sentence
 * @param details lines of Markdown for the report: measured figures, failures
 */
record Outcome(Status status, String summary, List<String> details) {

	/** More violations of the same kind say no more. */
	private static final int FURTHER = 20;

	Outcome {
		details = List.copyOf(details);
	}

	static Outcome held(String summary) {
		return new Outcome(Status.HELD, summary, List.of());
	}

	static Outcome failed(String summary) {
		return new Outcome(Status.FAILED, summary, List.of());
	}

	static Outcome notProvoked(String summary) {
		return new Outcome(Status.NOT_PROVOKED, summary, List.of());
	}

	static Outcome skipped(String reason) {
		return new Outcome(Status.SKIPPED, reason, List.of());
	}

	/**
	 * Returns the outcome of a check that looks for violations.
	 * @param violations what it found; the first is the summary, and some more are
	 * details
	 * @param otherwise the summary if there are none
	 */
	static Outcome of(List<String> violations, String otherwise) {
		return violations.isEmpty() ? held(otherwise) : failed(violations.get(0))
			.with(violations.stream().skip(1).limit(FURTHER).map((line) -> "- " + line).toList());
	}

	/** Returns this outcome with further lines. */
	Outcome with(List<String> further) {
		List<String> all = new ArrayList<>(this.details);
		all.addAll(further);
		return new Outcome(this.status, this.summary, all);
	}

	/** Whether what was checked holds. */
	enum Status {

		/** It was checked and holds. */
		HELD("OK"),

		/** It does not hold, or could not be checked to the end. */
		FAILED("FAILED"),

		/** The condition for the check did not occur. */
		NOT_PROVOKED("not provoked here"),

		/** It was not checked. */
		SKIPPED("skipped");

		private final String text;

		Status(String text) {
			this.text = text;
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

}

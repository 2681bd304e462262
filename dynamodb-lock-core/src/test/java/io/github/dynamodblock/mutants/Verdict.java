/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.mutants;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What simulation and tests say of a version of the client.
 *
 * @param seeds how many seeds were run
 * @param violation what the last of them broke, or {@code null}
 * @param failedTests the tests that failed
 */
record Verdict(long seeds, @Nullable String violation, List<String> failedTests) {

	boolean isCaught() {
		return this.violation != null || !this.failedTests.isEmpty();
	}

	/** Which check the violation is of, without what differs from seed to seed. */
	String check() {
		if (this.violation == null) {
			return "";
		}
		String kind = this.violation.startsWith("the client failed unexpectedly") ? this.violation
				: this.violation.replaceFirst(": .*", "");
		return kind.replaceAll("\\b(c\\d|audit)\\.\\d+\\b", "a client")
			.replaceAll("Line\\[.*]|(\\block )?\\block-\\d\\b", "a lock")
			.replaceAll("\\bPT\\S+", "some time")
			.replaceAll("-?\\b\\d+\\b", "n");
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.harness;

import java.util.List;
import java.util.stream.Stream;

/**
 * The result of a demo.
 *
 * @param violations what the checker found, if anything
 * @param figures what was counted and measured
 */
public record Verdict(List<String> violations, String figures) {

	public Verdict {
		violations = List.copyOf(violations);
	}

	/**
	 * Returns a verdict without violations.
	 * @param figures what was counted and measured
	 */
	public static Verdict ok(String figures) {
		return new Verdict(List.of(), figures);
	}

	/**
	 * Returns a verdict with a violation.
	 * @param violation what the checker found
	 */
	public static Verdict failed(String violation) {
		return new Verdict(List.of(violation), "");
	}

	/** Returns whether the checker found no violation. */
	public boolean passed() {
		return this.violations.isEmpty();
	}

	/**
	 * Returns this verdict together with another one.
	 * @param separator what separates their figures
	 */
	public Verdict and(Verdict other, String separator) {
		return new Verdict(Stream.concat(this.violations.stream(), other.violations.stream()).toList(),
				this.figures + separator + other.figures);
	}

	/** Returns the last line of the demo, which begins with OK or FAILED. */
	public String line() {
		if (passed()) {
			return "OK " + this.figures;
		}
		int more = this.violations.size() - 1;
		return "FAILED " + this.violations.get(0) + ((more > 0) ? " (and " + more + " more)" : "");
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.demo;

/**
 * The result of a demo.
 *
 * @param passed whether the checker found no violation
 * @param line the last line of the demo, which begins with {@code OK} or {@code FAILED}
 */
public record Verdict(boolean passed, String line) {

	/**
	 * Returns a verdict without violations.
	 * @param figures what was counted and measured
	 */
	public static Verdict ok(String figures) {
		return new Verdict(true, "OK " + figures);
	}

	/**
	 * Returns a verdict with violations.
	 * @param violations what the checker found
	 */
	public static Verdict failed(String violations) {
		return new Verdict(false, "FAILED " + violations);
	}

	/**
	 * Returns this verdict with something more in its line.
	 * @param figures what else was counted and measured
	 */
	public Verdict with(String figures) {
		return new Verdict(this.passed, this.line + "; " + figures);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

/**
 * One measured number and what it must be.
 *
 * @param name what was measured
 * @param measured what came out, with its unit
 * @param bound what is allowed
 * @param met whether the measured number is allowed
 */
record Figure(String name, String measured, String bound, boolean met) {

	String line() {
		return "%s: %s (%s) %s".formatted(this.name, this.measured, this.bound, this.met ? "OK" : "MISSED");
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

/**
 * Nanoseconds in the units of people.
 */
final class Units {

	private static final double NANOS_PER_MILLI = 1_000_000;

	private static final double NANOS_PER_SECOND = 1_000_000_000;

	private Units() {
	}

	static double millis(long nanos) {
		return nanos / NANOS_PER_MILLI;
	}

	static double seconds(long nanos) {
		return nanos / NANOS_PER_SECOND;
	}

	/**
	 * @param began a value of {@link System#nanoTime()}
	 */
	static double millisSince(long began) {
		return millis(System.nanoTime() - began);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.time.Duration;

import io.github.dynamodblock.samples.demo.CommandLine;

/**
 * The options of the demo.
 *
 * @param clients how many clients contend
 * @param locks how many locks they contend for
 * @param time for how long
 * @param separateTables whether each instance is given a table of its own, so that it
 * knows nothing of the other's locks
 */
record Options(int clients, int locks, Duration time, boolean separateTables) {

	static final int MOST_CLIENTS = 500;

	static final int MOST_LOCKS = 1000;

	static final int LEAST_SECONDS = 3;

	/**
	 * In that time each instance grants and renews, however few clients and locks there
	 * are.
	 */
	private static final int LONG_SECONDS = 10;

	/** The answers of that time fit into the memory of the demo. */
	static final int MOST_SECONDS = 300;

	/**
	 * Returns whether it takes so long that all that clients do must have happened.
	 */
	boolean isLong() {
		return this.time.toSeconds() >= LONG_SECONDS;
	}

	/**
	 * Reads the options.
	 * @throws IllegalArgumentException if an option has no usable value
	 */
	static Options read(CommandLine commandLine) {
		return new Options(commandLine.number("--clients", 50, 2, MOST_CLIENTS),
				commandLine.number("--locks", 12, 1, MOST_LOCKS),
				Duration.ofSeconds(commandLine.number("--seconds", 20, LEAST_SECONDS, MOST_SECONDS)),
				commandLine.flag("--separate-tables"));
	}

}

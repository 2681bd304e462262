/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.time.Duration;

import org.springframework.core.env.PropertyResolver;

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

	/**
	 * In that time each instance grants and renews, however few clients and locks there
	 * are.
	 */
	private static final int LONG_SECONDS = 10;

	/**
	 * Returns whether it takes so long that all that clients do must have happened.
	 */
	boolean isLong() {
		return this.time.toSeconds() >= LONG_SECONDS;
	}

	/** Reads the options, which the script has checked. */
	static Options read(PropertyResolver commandLine) {
		return new Options(commandLine.getProperty("clients", Integer.class, 50),
				commandLine.getProperty("locks", Integer.class, 12),
				Duration.ofSeconds(commandLine.getProperty("seconds", Integer.class, 20)),
				commandLine.containsProperty("separate-tables"));
	}

}

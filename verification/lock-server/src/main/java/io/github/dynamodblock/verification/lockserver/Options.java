/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.nio.file.Path;
import java.time.Duration;

import io.github.dynamodblock.samples.support.OptionValues;

/**
 * What the user asked for.
 *
 * @param clients how many clients contend
 * @param locks how many locks they contend for
 * @param time for how long
 * @param separateTables whether each instance is given a table of its own, so that it
 * knows nothing of the other's locks
 * @param logs the folder for the logs
 */
record Options(int clients, int locks, Duration time, boolean separateTables, Path logs) {

	static final int MOST_CLIENTS = 500;

	static final int MOST_LOCKS = 1000;

	static final int LEAST_SECONDS = 3;

	/**
	 * In that time each instance grants and renews, however few clients and locks there
	 * are.
	 */
	private static final int LONG_SECONDS = 10;

	/** What clients were told in that time fits into the memory that the trial has. */
	static final int MOST_SECONDS = 300;

	/**
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	Options {
		requireFromTo("--clients", clients, 2, MOST_CLIENTS);
		requireFromTo("--locks", locks, 1, MOST_LOCKS);
		requireFromTo("--seconds", time.toSeconds(), LEAST_SECONDS, MOST_SECONDS);
	}

	private static void requireFromTo(String option, long value, int least, int most) {
		if (value < least || value > most) {
			throw new IllegalArgumentException(option + " is " + value + "; it must be from " + least + " to " + most);
		}
	}

	/**
	 * Whether it takes long enough that all that clients do must have happened.
	 */
	boolean isLong() {
		return this.time.toSeconds() >= LONG_SECONDS;
	}

	/**
	 * Reads the command line.
	 * @throws IllegalArgumentException if an option is unknown or has no usable value
	 */
	static Options parse(String... args) {
		int clients = 50;
		int locks = 12;
		int seconds = 20;
		boolean separateTables = false;
		Path logs = Path.of("target", "trial");
		for (int i = 0; i < args.length; i++) {
			switch (args[i]) {
				case "--clients" -> clients = OptionValues.number(args, i++);
				case "--locks" -> locks = OptionValues.number(args, i++);
				case "--seconds" -> seconds = OptionValues.number(args, i++);
				case "--separate-tables" -> separateTables = true;
				case "--logs" -> logs = Path.of(OptionValues.text(args, i++));
				default -> throw new IllegalArgumentException("Unknown option " + args[i]);
			}
		}
		return new Options(clients, locks, Duration.ofSeconds(seconds), separateTables, logs);
	}

}

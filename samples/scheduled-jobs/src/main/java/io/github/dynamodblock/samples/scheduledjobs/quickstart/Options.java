/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What the user asked for.
 *
 * @param duration how long the nodes run, from the moment at which all are up
 * @param nodes how many nodes
 * @param keepRunning whether to go on after that until interrupted
 * @param logs the folder for the nodes' logs
 */
record Options(Duration duration, int nodes, boolean keepRunning, Path logs) {

	static final int SHORTEST_SECONDS = 30;

	/**
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	Options {
		if (duration.compareTo(Duration.ofSeconds(SHORTEST_SECONDS)) < 0) {
			throw new IllegalArgumentException("--duration is " + duration.toSeconds() + "; it must be at least "
					+ SHORTEST_SECONDS + " seconds, so that there is time for the takeovers");
		}
		if (nodes < 2 || nodes > 9) {
			throw new IllegalArgumentException("--nodes is " + nodes + "; it must be from 2 to 9");
		}
	}

	/**
	 * Reads the command line.
	 * @throws IllegalArgumentException if an option is unknown or has no usable value
	 */
	static Options parse(String... args) {
		Duration duration = Duration.ofSeconds(45);
		int nodes = 3;
		boolean keepRunning = false;
		Path logs = Path.of("target", "quick-start");
		for (int i = 0; i < args.length; i++) {
			switch (args[i]) {
				case "--duration" -> duration = Duration.ofSeconds(number(args, i++));
				case "--nodes" -> nodes = number(args, i++);
				case "--keep-running" -> keepRunning = true;
				case "--logs" -> logs = Path.of(value(args, i++));
				default -> throw new IllegalArgumentException("Unknown option " + args[i]);
			}
		}
		return new Options(duration, nodes, keepRunning, logs);
	}

	private static int number(String[] args, int option) {
		String value = value(args, option);
		try {
			return Integer.parseInt(value);
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException(args[option] + " is \"" + value + "\"; it must be a whole number", ex);
		}
	}

	private static String value(String[] args, int option) {
		if (option + 1 == args.length) {
			throw new IllegalArgumentException(args[option] + " needs a value");
		}
		return args[option + 1];
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.nio.file.Path;
import java.time.Duration;

import io.github.dynamodblock.samples.support.OptionValues;

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
				case "--duration" -> duration = Duration.ofSeconds(OptionValues.number(args, i++));
				case "--nodes" -> nodes = OptionValues.number(args, i++);
				case "--keep-running" -> keepRunning = true;
				case "--logs" -> logs = Path.of(OptionValues.text(args, i++));
				default -> throw new IllegalArgumentException("Unknown option " + args[i]);
			}
		}
		return new Options(duration, nodes, keepRunning, logs);
	}

}

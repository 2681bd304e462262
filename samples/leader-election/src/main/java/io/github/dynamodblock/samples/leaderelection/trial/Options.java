/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.trial;

import java.nio.file.Path;

/**
 * What the user asked for.
 *
 * @param separateLocks whether each node is given a lock of its own, so that all lead
 * @param logs the folder for the logs
 */
record Options(boolean separateLocks, Path logs) {

	/**
	 * Reads the command line.
	 * @throws IllegalArgumentException if an option is unknown or has no value
	 */
	static Options parse(String... args) {
		boolean separateLocks = false;
		Path logs = Path.of("target", "trial");
		for (int i = 0; i < args.length; i++) {
			switch (args[i]) {
				case "--separate-locks" -> separateLocks = true;
				case "--logs" -> {
					if (i + 1 == args.length) {
						throw new IllegalArgumentException("--logs needs a value");
					}
					logs = Path.of(args[++i]);
				}
				default -> throw new IllegalArgumentException("Unknown option " + args[i]);
			}
		}
		return new Options(separateLocks, logs);
	}

}

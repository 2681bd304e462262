/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi.trial;

import java.nio.file.Path;

import io.github.dynamodblock.samples.support.OptionValues;

/**
 * What the user asked for.
 *
 * @param requests how many requests are sent at once
 * @param orders how many orders they are for
 * @param lock whether the nodes lock
 * @param logs the folder for the logs
 */
record Options(int requests, int orders, boolean lock, Path logs) {

	static final int MOST_REQUESTS = 1000;

	/**
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	Options {
		if (requests < 2 || requests > MOST_REQUESTS) {
			throw new IllegalArgumentException("--requests is " + requests + "; it must be from 2 to " + MOST_REQUESTS);
		}
		if (orders < 1 || orders > requests) {
			throw new IllegalArgumentException(
					"--orders is " + orders + "; it must be from 1 to the number of requests, which is " + requests);
		}
	}

	/**
	 * Reads the command line.
	 * @throws IllegalArgumentException if an option is unknown or has no usable value
	 */
	static Options parse(String... args) {
		int requests = 200;
		int orders = 5;
		boolean lock = true;
		Path logs = Path.of("target", "trial");
		for (int i = 0; i < args.length; i++) {
			switch (args[i]) {
				case "--requests" -> requests = OptionValues.number(args, i++);
				case "--orders" -> orders = OptionValues.number(args, i++);
				case "--without-lock" -> lock = false;
				case "--logs" -> logs = Path.of(OptionValues.text(args, i++));
				default -> throw new IllegalArgumentException("Unknown option " + args[i]);
			}
		}
		return new Options(requests, orders, lock, logs);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

import io.github.dynamodblock.faults.checker.Interval;

/**
 * Lets processes stand still.
 */
final class Signals {

	/** Goes on even if this process is killed, so that nothing stands still for ever. */
	private static final String SCRIPT = "kill -STOP \"$0\" || exit 1; echo stopped; sleep \"$1\"; kill -CONT \"$0\"";

	private Signals() {
	}

	/**
	 * Stops a process, and continues it after a time.
	 * @param process the process
	 * @param time how long it stands still
	 * @return when it may have stood still
	 * @throws IOException if the shell cannot be started
	 * @throws InterruptedException if the thread is interrupted; the process is continued
	 * all the same
	 */
	static Interval pause(Process process, Duration time) throws IOException, InterruptedException {
		String seconds = String.format(Locale.ROOT, "%.3f", time.toNanos() / 1e9);
		long from = System.nanoTime();
		Process shell = new ProcessBuilder("sh", "-c", SCRIPT, Long.toString(process.pid()), seconds)
			.redirectErrorStream(true)
			.start();
		try (BufferedReader output = shell.inputReader(StandardCharsets.UTF_8)) {
			// Read to its end, which comes with the shell's.
			output.lines().forEach((line) -> {
			});
		}
		shell.waitFor();
		return new Interval(from, System.nanoTime());
	}

}

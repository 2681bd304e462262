/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * How processes are started that this one measures or uses.
 */
final class ChildProcess {

	private ChildProcess() {
	}

	/**
	 * The beginning of a command that runs the same Java with the same compilers and the
	 * same collector.
	 */
	static List<String> java() {
		List<String> command = new ArrayList<>(
				List.of(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java"));
		ManagementFactory.getRuntimeMXBean()
			.getInputArguments()
			.stream()
			.filter((option) -> option.startsWith("-XX:"))
			.forEach(command::add);
		return command;
	}

}

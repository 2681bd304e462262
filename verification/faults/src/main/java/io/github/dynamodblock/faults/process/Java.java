/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts Java programs on the class path of this one.
 */
final class Java {

	private static final int NATIVE_ACCESS_ASKED_FOR = 24;

	private Java() {
	}

	/**
	 * Starts a small process: there are many, and they are started often.
	 * @param heap its heap, as {@code -Xmx} takes it
	 * @param log where its standard error goes, appended
	 * @param main its program
	 * @param arguments the program's arguments
	 * @return the process, whose standard input and output are pipes
	 * @throws IOException if it does not start
	 */
	static Process start(String heap, Path log, Class<?> main, List<String> arguments) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
						"-Xmx" + heap, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
		if (Runtime.version().feature() >= NATIVE_ACCESS_ASKED_FOR) {
			command.add("--enable-native-access=ALL-UNNAMED");
		}
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
		command.addAll(arguments);
		ProcessBuilder builder = new ProcessBuilder(command)
			.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
		builder.environment().remove("JAVA_TOOL_OPTIONS");
		return builder.start();
	}

}

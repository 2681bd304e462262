/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

import io.github.dynamodblock.LockClient;

/**
 * The class path of a process with another version of the core.
 */
final class OtherVersion {

	private OtherVersion() {
	}

	/**
	 * Returns this process's class path, with another version of the core.
	 * @param core the other core's jar
	 * @throws IllegalArgumentException if there is no such jar
	 */
	static String classPath(Path core) {
		if (!Files.isRegularFile(core)) {
			throw new IllegalArgumentException("faults.previous is " + core + "; there is no such file");
		}
		Path own = Path.of(LockClient.class.getProtectionDomain().getCodeSource().getLocation().getPath());
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.map((entry) -> Path.of(entry).toAbsolutePath().equals(own.toAbsolutePath())
					? core.toAbsolutePath().toString() : entry)
			.collect(Collectors.joining(File.pathSeparator));
	}

}

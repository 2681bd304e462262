/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.mutants;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.runtime.FirstViolation;
import org.jspecify.annotations.Nullable;

/**
 * Runs the simulation and tests against a version of the client, each in a process of its
 * own.
 *
 * @param directory for what comes of it
 * @param classes those in which this version differs, or {@code null} for the client
 * itself
 */
record Examination(Path directory, @Nullable Path classes) {

	/** For a process that hangs; a busy machine takes its time for all seeds. */
	private static final Duration PATIENCE = Duration.ofMinutes(30);

	/**
	 * Examines this version.
	 * @param seeds how many seeds to run until one shows something, or zero for none
	 * @param tests which tests to run
	 * @return what came of it
	 * @throws IOException if files cannot be read or written
	 * @throws InterruptedException if interrupted
	 * @throws IllegalStateException if a process ends without a result
	 */
	Verdict examine(long seeds, List<String> tests) throws IOException, InterruptedException {
		long run = 0;
		String violation = null;
		if (seeds > 0) {
			List<String> simulated = result("violation", FirstViolation.class, Long.toString(seeds),
					this.directory.toString(), System.getProperty("mutants.simulation", ""));
			run = Long.parseLong(simulated.get(0));
			violation = (simulated.size() > 1) ? simulated.get(1) : null;
		}
		if (tests.isEmpty()) {
			return new Verdict(run, violation, List.of());
		}
		List<String> arguments = new ArrayList<>(List.of(this.directory.resolve("failures").toString()));
		arguments.addAll(tests);
		List<String> tested = result("failures", FailingTests.class, arguments.toArray(String[]::new));
		if (tested.get(0).equals("0")) {
			throw new IllegalStateException("None of these tests was found: " + tests);
		}
		return new Verdict(run, violation, tested.subList(1, tested.size()));
	}

	private List<String> result(String file, Class<?> program, String... arguments)
			throws IOException, InterruptedException {
		Files.createDirectories(this.directory);
		Path result = this.directory.resolve(file);
		Files.deleteIfExists(result);
		Path log = this.directory.resolve(program.getSimpleName() + ".log");
		Process process = start(program, log, arguments);
		try {
			if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
				throw new IllegalStateException(
						program.getSimpleName() + " has not ended within " + PATIENCE + "; see " + log);
			}
		}
		finally {
			process.destroyForcibly();
		}
		if (!Files.exists(result)) {
			throw new IllegalStateException(program.getSimpleName() + " has ended with status " + process.exitValue()
					+ " and without a result; see " + log);
		}
		return Files.readAllLines(result);
	}

	private Process start(Class<?> program, Path log, String... arguments) throws IOException {
		// The module's own resources come before those of this machinery.
		String present = Path.of("target", "test-classes").toAbsolutePath() + File.pathSeparator
				+ System.getProperty("java.class.path");
		List<String> command = new ArrayList<>(List.of(
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m", "-XX:+UseSerialGC",
				"-classpath", (this.classes == null) ? present : this.classes + File.pathSeparator + present,
				program.getName()));
		command.addAll(List.of(arguments));
		return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
	}

}

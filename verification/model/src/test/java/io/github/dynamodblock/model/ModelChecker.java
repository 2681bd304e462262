/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.model;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import tlc2.TLC;

/**
 * Runs TLC, each time in a process of its own. What it read and said stays in the
 * configuration's directory below {@code target/tlc}.
 */
final class ModelChecker {

	private static final Path MODEL = Path.of("Lock.tla");

	private static final Path RUNS = Path.of("target", "tlc");

	/**
	 * Where a run unpacks the standard modules: in the shared directory for temporary
	 * files, a run could read a module while another one writes it.
	 */
	private static final String MODULES = "modules";

	private static final Duration LIMIT = Duration.ofMinutes(5);

	private ModelChecker() {
	}

	/**
	 * Checks the model.
	 * @param configuration with which constants, and for what
	 * @return what TLC said
	 */
	static Verdict check(Configuration configuration) {
		return check(MODEL, configuration.slug(), configuration.text());
	}

	static Verdict check(Path model, String directory, String configuration) {
		try {
			Path run = RUNS.resolve(directory);
			Files.createDirectories(run.resolve(MODULES));
			Files.copy(model, run.resolve("Lock.tla"), StandardCopyOption.REPLACE_EXISTING);
			Files.writeString(run.resolve("Lock.cfg"), configuration);
			return run(run);
		}
		catch (IOException ex) {
			throw new IllegalStateException("TLC could not be run for " + directory, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while TLC ran for " + directory, ex);
		}
	}

	private static Verdict run(Path run) throws IOException, InterruptedException {
		Path output = run.resolve("output.txt");
		Process process = new ProcessBuilder(command()).directory(run.toFile())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		try {
			if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
				throw new IllegalStateException("TLC took longer than " + LIMIT + "; see " + output);
			}
			return new Verdict(process.exitValue(), Files.readString(output));
		}
		finally {
			process.destroyForcibly();
		}
	}

	private static List<String> command() {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		return List.of(java, "-XX:+UseSerialGC", "-Xmx2g", "-Djava.io.tmpdir=" + MODULES, "-cp", library(), "tlc2.TLC",
				"-workers", "1", "-cleanup", "-metadir", "states", "-config", "Lock.cfg", "Lock.tla");
	}

	private static String library() {
		try {
			return Path.of(TLC.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException("The place of TLC's jar is no file", ex);
		}
	}

}

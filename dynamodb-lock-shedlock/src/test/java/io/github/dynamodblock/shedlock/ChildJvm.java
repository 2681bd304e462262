/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A child process, and the lines that it has printed.
 */
final class ChildJvm implements AutoCloseable {

	private static final long END_SECONDS = 30;

	private final List<String> lines = new CopyOnWriteArrayList<>();

	private final Process process;

	private ChildJvm(Process process) {
		this.process = process;
		Thread reader = new Thread(this::read, "output of " + process.pid());
		reader.setDaemon(true);
		reader.start();
	}

	/**
	 * Starts a process.
	 * @param environment further variables
	 * @param missing the classes whose jars are not on its class path
	 */
	static ChildJvm start(Map<String, String> environment, Set<Class<?>> missing, Class<?> mainClass,
			String... arguments) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-XX:+UseSerialGC", "-Xmx256m", "-cp", classPathWithout(missing), mainClass.getName()));
		command.addAll(List.of(arguments));
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
		builder.environment()
			.keySet()
			.removeIf((each) -> each.startsWith("AWS_") || each.toLowerCase(Locale.ROOT).endsWith("_proxy"));
		builder.environment().putAll(environment);
		return new ChildJvm(builder.start());
	}

	private static String classPathWithout(Set<Class<?>> missing) {
		Set<Path> left = missing.stream()
			.map((each) -> Path.of(each.getProtectionDomain().getCodeSource().getLocation().getPath()))
			.collect(Collectors.toSet());
		String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
		return Arrays.stream(all.split(System.getProperty("path.separator")))
			.filter((each) -> !left.contains(Path.of(each)))
			.collect(Collectors.joining(System.getProperty("path.separator")));
	}

	private void read() {
		try (BufferedReader output = this.process.inputReader()) {
			for (String line = output.readLine(); line != null; line = output.readLine()) {
				this.lines.add(line);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns the rest of the lines that begin with a text. */
	List<String> printed(String start) {
		return this.lines.stream()
			.filter((each) -> each.startsWith(start))
			.map((each) -> each.substring(start.length()))
			.toList();
	}

	/** Returns everything that it has printed. */
	String output() {
		return String.join("\n", this.lines);
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/** Sends {@code kill -9}. */
	void kill() {
		this.process.toHandle().destroyForcibly();
	}

	/** Sends {@code kill}, and {@code kill -9} to a process that does not end. */
	@Override
	public void close() throws InterruptedException {
		// Process.destroy() would close the output before it is read.
		this.process.toHandle().destroy();
		if (!this.process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
			kill();
			this.process.waitFor();
		}
	}

}

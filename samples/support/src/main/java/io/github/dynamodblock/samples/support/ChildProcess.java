/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.support;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A second Java process with the class path of this one. It reads its standard input and
 * ends at its end, which comes with {@link #close()} and also if this process dies. Used
 * by one thread.
 */
public final class ChildProcess implements AutoCloseable {

	private static final long CLOSE_SECONDS = 10;

	/** Small and quick to start: the children share a machine with little memory. */
	private static final List<String> JAVA_OPTIONS = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
			"-Dfile.encoding=UTF-8");

	/**
	 * Runs a command that does not hear the terminal's Ctrl-C and hang-up, which go to
	 * all processes at once: the parent ends its children itself, in their order.
	 */
	private static final List<String> DEAF_TO_THE_TERMINAL = List.of("sh", "-c", "trap '' INT HUP; exec \"$@\"", "sh");

	private final Process process;

	private final BufferedWriter input;

	private final Thread reader;

	private @Nullable ProcessPause pause;

	private ChildProcess(Process process, String name, Path log, Listener listener) {
		this.process = process;
		this.input = process.outputWriter(StandardCharsets.UTF_8);
		this.reader = new Thread(() -> read(log, listener), name + "-output");
		this.reader.setDaemon(true);
	}

	/**
	 * Starts a child.
	 * @param name what its reading thread is called
	 * @param log the file for all that it writes
	 * @param memory the most that its heap may take, as for {@code -Xmx}
	 * @param mainClass what it runs
	 * @param arguments the arguments of the main class
	 * @param listener is told of its output and its end
	 * @return the child
	 * @throws IOException if the process cannot be started
	 */
	public static ChildProcess start(String name, Path log, String memory, Class<?> mainClass, List<String> arguments,
			Listener listener) throws IOException {
		List<String> command = new ArrayList<>(DEAF_TO_THE_TERMINAL);
		command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
		command.addAll(JAVA_OPTIONS);
		command.addAll(List.of("-Xmx" + memory, "-cp", System.getProperty("java.class.path"), mainClass.getName()));
		command.addAll(arguments);
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
		isolate(builder.environment());
		ChildProcess child = new ChildProcess(builder.start(), name, log, listener);
		child.reader.start();
		return child;
	}

	/**
	 * Takes away what could lead a child to a proxy or to a real account, and gives it
	 * the credentials that DynamoDB Local wants, which are any.
	 */
	private static void isolate(Map<String, String> environment) {
		environment.keySet().removeIf((name) -> {
			String lowerCase = name.toLowerCase(Locale.ROOT);
			return lowerCase.startsWith("aws_") || lowerCase.endsWith("_proxy");
		});
		environment.put("AWS_ACCESS_KEY_ID", "local");
		environment.put("AWS_SECRET_ACCESS_KEY", "local");
	}

	private void read(Path log, Listener listener) {
		try (BufferedReader output = this.process.inputReader(StandardCharsets.UTF_8);
				BufferedWriter copy = Files.newBufferedWriter(log)) {
			for (String line = output.readLine(); line != null; line = output.readLine()) {
				copy.write(line);
				copy.newLine();
				copy.flush();
				listener.onLine(line);
			}
		}
		catch (IOException ex) {
			System.err.println("The output of a child cannot be copied to " + log + ", so it is stopped: " + ex);
			kill();
		}
		int status = this.process.onExit().join().exitValue();
		listener.onEnd(Instant.now(), status);
	}

	/**
	 * The number of the process.
	 * @return the number
	 */
	public long pid() {
		return this.process.pid();
	}

	/**
	 * Gives the child an order.
	 * @param line the order
	 * @throws IOException if the child does not hear any more
	 */
	public void send(String line) throws IOException {
		this.input.write(line);
		this.input.newLine();
		this.input.flush();
	}

	/**
	 * Sends {@code kill -9}.
	 */
	public void kill() {
		this.process.destroyForcibly();
	}

	/**
	 * Makes the child stand still, all of its threads, until {@link #resume()}.
	 * @throws IOException if it cannot be stopped
	 */
	public void pause() throws IOException {
		if (this.pause == null) {
			this.pause = ProcessPause.of(pid());
		}
	}

	/**
	 * Lets the child go on if it was made to stand still.
	 */
	public void resume() {
		if (this.pause != null) {
			this.pause.close();
			this.pause = null;
		}
	}

	/**
	 * Asks the child to end, which it cannot hear as long as it stands still.
	 */
	public void askToEnd() {
		resume();
		try {
			this.input.close();
		}
		catch (IOException ex) {
			// It has gone already.
			this.process.destroy();
		}
	}

	/**
	 * Asks the child to end, waits until it has and its output is read, and kills it if
	 * it does not.
	 */
	@Override
	public void close() {
		askToEnd();
		try {
			if (!this.process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
				kill();
			}
			this.reader.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
		}
		catch (InterruptedException ex) {
			kill();
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Told about a child, on a thread of its own.
	 */
	public interface Listener {

		/**
		 * A line of its output.
		 * @param line the line
		 */
		void onLine(String line);

		/**
		 * It has ended, and all its lines have come before this.
		 * @param time when it was seen to have ended
		 * @param status its exit status
		 */
		void onEnd(Instant time, int status);

	}

}

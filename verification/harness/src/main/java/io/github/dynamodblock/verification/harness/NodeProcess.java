/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.harness;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A process that a demo starts: a node of an application, or a server that the nodes use.
 * It has the class path of this process, and ends when this process closes its standard
 * input or dies. Used by one thread.
 */
public final class NodeProcess implements AutoCloseable {

	private static final Duration START_TIME = Duration.ofSeconds(90);

	private static final Duration CLOSE_TIME = Duration.ofSeconds(10);

	private static final String WARNING = "  WARN ";

	/** What Java ends with after SIGTERM, when its shutdown hooks have ended. */
	private static final int STATUS_TERMINATED = 128 + 15;

	/** Small and quick to start: the processes share a machine with little memory. */
	private static final List<String> JAVA_OPTIONS = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
			"-Dfile.encoding=UTF-8");

	/**
	 * Runs a command that ignores the terminal's Ctrl-C and hang-up, which go to all
	 * processes at once: the parent ends its children itself, in their order.
	 */
	private static final List<String> IGNORING_THE_TERMINAL = List.of("sh", "-c", "trap '' INT HUP; exec \"$@\"", "sh");

	/**
	 * A shell that stops the process, and resumes it when the shell's input ends. The
	 * input ends if this process dies, too, so that no stopped process is left behind.
	 */
	private static final String PAUSE = "trap '' INT HUP TERM; kill -STOP \"$1\" || exit; "
			+ "echo stopped; read -r line; kill -CONT \"$1\"";

	private final CompletableFuture<String> address = new CompletableFuture<>();

	private final CompletableFuture<Integer> end = new CompletableFuture<>();

	private final String name;

	private final Path log;

	private final Process process;

	private final BufferedWriter input;

	private final Thread reader;

	private @Nullable Process pause;

	private volatile boolean killed;

	private volatile boolean terminated;

	private volatile boolean askedToEnd;

	private NodeProcess(String name, Path log, Process process, Consumer<Event> events) {
		this.name = name;
		this.log = log;
		this.process = process;
		this.input = process.outputWriter(StandardCharsets.UTF_8);
		this.reader = new Thread(() -> read(events), name + "-output");
		this.reader.setDaemon(true);
	}

	/**
	 * Starts a process with a log {@code <name>.log}, and does not wait for it.
	 * @param memory the limit of its heap, as for {@code -Xmx}
	 * @param command options of Java, the main class and its arguments
	 * @param events receives its events, on a separate thread
	 * @return the process
	 */
	public static NodeProcess start(String name, Path logs, String memory, List<String> command, Consumer<Event> events)
			throws IOException {
		return start(name, logs, memory, System.getProperty("java.class.path"), command, Environment.LOCAL, events);
	}

	/**
	 * Starts a process as {@link #start(String, Path, String, List, Consumer)} does, with
	 * another class path and environment.
	 * @param classPath the class path, for example one with another version of a library
	 * @param environment what it can reach
	 * @return the process
	 */
	public static NodeProcess start(String name, Path logs, String memory, String classPath, List<String> command,
			Environment environment, Consumer<Event> events) throws IOException {
		List<String> all = new ArrayList<>(IGNORING_THE_TERMINAL);
		all.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
		all.addAll(JAVA_OPTIONS);
		all.addAll(List.of("-Xmx" + memory, "-D" + Reporter.NODE + "=" + name, "-cp", classPath));
		all.addAll(command);
		ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
		if (environment == Environment.LOCAL) {
			isolate(builder.environment());
		}
		NodeProcess node = new NodeProcess(name, logs.resolve(name + ".log"), builder.start(), events);
		node.reader.start();
		return node;
	}

	/**
	 * Removes what could lead a child to a proxy or to a real account, and gives it the
	 * credentials that DynamoDB Local asks for, which are any.
	 */
	private static void isolate(Map<String, String> environment) {
		environment.keySet().removeIf((variable) -> {
			String lowerCase = variable.toLowerCase(Locale.ROOT);
			return lowerCase.startsWith("aws_") || lowerCase.endsWith("_proxy");
		});
		environment.put("AWS_ACCESS_KEY_ID", "local");
		environment.put("AWS_SECRET_ACCESS_KEY", "local");
	}

	private void read(Consumer<Event> events) {
		try (BufferedReader output = this.process.inputReader(StandardCharsets.UTF_8);
				BufferedWriter copy = Files.newBufferedWriter(this.log)) {
			for (String line = output.readLine(); line != null; line = output.readLine()) {
				copy.write(line);
				copy.newLine();
				copy.flush();
				if (Event.isEvent(line)) {
					take(Event.parse(line), events);
				}
			}
		}
		catch (IOException | RuntimeException ex) {
			System.err.println("The output of " + this.name + " cannot be read or copied, so it is killed: " + ex);
			this.process.toHandle().destroyForcibly();
		}
		int status = this.process.onExit().join().exitValue();
		this.address.completeExceptionally(new IllegalStateException("ended with status " + status));
		events.accept(new Event(Instant.now(), this.name, Event.ENDED, "", List.of((long) status)));
		this.end.complete(status);
	}

	private void take(Event event, Consumer<Event> events) {
		if (event.is(Event.READY)) {
			this.address.complete(event.subject());
		}
		events.accept(event);
	}

	/**
	 * Waits until the process is up.
	 * @return its address; empty if it has none
	 * @throws DemoFailedException if it does not come up
	 */
	public String awaitReady() throws InterruptedException, DemoFailedException {
		try {
			return this.address.get(START_TIME.toSeconds(), TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			throw new DemoFailedException(this.name + " did not start; see " + this.log);
		}
		catch (TimeoutException ex) {
			throw new DemoFailedException(
					this.name + " did not start within " + START_TIME.toSeconds() + " s; see " + this.log);
		}
	}

	boolean isReady() {
		return this.address.isDone() && !this.address.isCompletedExceptionally();
	}

	/**
	 * Waits until the process has ended, and fails if nothing asked it to.
	 * @throws DemoFailedException if it ended on its own
	 */
	public void awaitEnd() throws InterruptedException, DemoFailedException {
		try {
			requireExpectedEnd(this.end.get());
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	void requireExpectedEnd(long status) throws DemoFailedException {
		boolean inOrder = (this.askedToEnd && status == 0) || (this.terminated && status == STATUS_TERMINATED);
		if (!this.killed && !inOrder) {
			throw new DemoFailedException(this.name + " ended on its own with status " + status + "; see "
					+ this.log.toAbsolutePath().normalize());
		}
	}

	/**
	 * Returns what the process has logged at WARN so far, in Spring Boot's usual format.
	 * @return the messages
	 */
	public List<String> warnings() throws IOException {
		try (Stream<String> lines = Files.lines(this.log)) {
			return lines.filter((line) -> line.contains(WARNING))
				.map((line) -> line.substring(line.indexOf(" : ") + " : ".length()))
				.toList();
		}
	}

	/** Returns the name of the process. */
	public String name() {
		return this.name;
	}

	/** Returns the number of the process. */
	public long pid() {
		return this.process.pid();
	}

	/**
	 * Sends an order to the process.
	 * @param order one line of text
	 * @throws IOException if the process has closed its standard input
	 */
	public void send(String order) throws IOException {
		this.input.write(order);
		this.input.newLine();
		this.input.flush();
	}

	/**
	 * Sends {@code kill -9}.
	 */
	public void kill() {
		this.killed = true;
		// Process.destroyForcibly() would close the output before its last events are
		// read.
		this.process.toHandle().destroyForcibly();
	}

	/**
	 * Sends SIGTERM, as deployments do: the process runs its shutdown hooks, and ends.
	 */
	public void terminate() {
		this.terminated = true;
		this.process.toHandle().destroy();
	}

	/**
	 * Stops all threads of the process until {@link #resume()}.
	 * @throws IOException if the process cannot be stopped
	 */
	public void pause() throws IOException {
		this.pause = new ProcessBuilder("sh", "-c", PAUSE, "sh", Long.toString(pid())).redirectErrorStream(true)
			.start();
		String answer = this.pause.inputReader().readLine();
		if (!"stopped".equals(answer)) {
			throw new IOException("Process " + pid() + " cannot be stopped: kill -STOP printed \"" + answer + "\"");
		}
	}

	/** Resumes the process if it is paused. */
	public void resume() {
		if (this.pause != null) {
			closeInput(this.pause);
			this.pause.onExit().join();
			this.pause = null;
		}
	}

	private static void closeInput(Process process) {
		try {
			process.getOutputStream().close();
		}
		catch (IOException ex) {
			// It has already ended.
			process.destroy();
		}
	}

	/** Asks the process to end, and resumes it if it is paused. */
	public void askToEnd() {
		this.askedToEnd = true;
		resume();
		closeInput(this.process);
	}

	/**
	 * Asks the process to end, waits until it has and its output is read, and kills it if
	 * it does not.
	 */
	@Override
	public void close() {
		askToEnd();
		try {
			if (!this.process.waitFor(CLOSE_TIME.toSeconds(), TimeUnit.SECONDS)) {
				kill();
			}
			this.reader.join(CLOSE_TIME.toMillis());
		}
		catch (InterruptedException ex) {
			kill();
			Thread.currentThread().interrupt();
		}
	}

	/** What a process can reach. */
	public enum Environment {

		/** DynamoDB Local: no proxy, and no real account. */
		LOCAL,

		/** What this process can reach, with the same credentials. */
		INHERITED

	}

}

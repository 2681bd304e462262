/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A server in a process of its own, which says where it listens by
 * {@link ParentProcess#tellAddress}.
 */
public final class ServerProcess implements AutoCloseable {

	private static final long START_SECONDS = 90;

	private static final String WARNING = "  WARN ";

	private final String name;

	private final Path log;

	private final ChildProcess process;

	private final CompletableFuture<String> address;

	private final CompletableFuture<Integer> end;

	private ServerProcess(String name, Path log, ChildProcess process, CompletableFuture<String> address,
			CompletableFuture<Integer> end) {
		this.name = name;
		this.log = log;
		this.process = process;
		this.address = address;
		this.end = end;
	}

	/**
	 * Starts a server, and does not wait for it.
	 * @param name what it is called; its log is {@code <name>.log}
	 * @param logs the folder for its log
	 * @param memory the most that its heap may take, as for {@code -Xmx}
	 * @param mainClass what it runs
	 * @param arguments the arguments of the main class
	 * @return the process
	 * @throws IOException if the process cannot be started
	 */
	public static ServerProcess start(String name, Path logs, String memory, Class<?> mainClass, List<String> arguments)
			throws IOException {
		Path log = logs.resolve(name + ".log");
		CompletableFuture<String> address = new CompletableFuture<>();
		CompletableFuture<Integer> end = new CompletableFuture<>();
		ChildProcess process = ChildProcess.start(name, log, memory, mainClass, arguments, new ChildProcess.Listener() {

			@Override
			public void onLine(String line) {
				if (line.startsWith(ParentProcess.LISTENS_AT)) {
					address.complete(line.substring(ParentProcess.LISTENS_AT.length()));
				}
			}

			@Override
			public void onEnd(Instant time, int status) {
				address.completeExceptionally(new IllegalStateException("it ended with status " + status));
				end.complete(status);
			}

		});
		return new ServerProcess(name, log, process, address, end);
	}

	/**
	 * Waits until it listens.
	 * @return where it listens
	 * @throws InterruptedException if the thread is interrupted
	 * @throws RunFailedException if it does not come up
	 */
	public String awaitAddress() throws InterruptedException, RunFailedException {
		try {
			return this.address.get(START_SECONDS, TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			throw new RunFailedException(this.name + " did not start; see " + this.log);
		}
		catch (TimeoutException ex) {
			throw new RunFailedException(this.name + " did not start within " + START_SECONDS + " s; see " + this.log);
		}
	}

	/**
	 * Waits until it has ended, which servers do not do of themselves.
	 * @return its exit status
	 * @throws InterruptedException if the thread is interrupted
	 */
	public int awaitEnd() throws InterruptedException {
		try {
			return this.end.get();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * What it has warned of so far, if it logs as Spring Boot does by default.
	 * @return the messages
	 * @throws IOException if its log cannot be read
	 */
	public List<String> warnings() throws IOException {
		try (Stream<String> lines = Files.lines(this.log)) {
			return lines.filter((line) -> line.contains(WARNING)).map(ServerProcess::message).toList();
		}
	}

	/** What comes after time, level, process, application, thread and logger. */
	private static String message(String line) {
		return line.substring(line.indexOf(" : ") + " : ".length());
	}

	/**
	 * What it is called.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * The number of its process.
	 * @return the number
	 */
	public long pid() {
		return this.process.pid();
	}

	/**
	 * Sends {@code kill -9}.
	 */
	public void kill() {
		this.process.kill();
	}

	/**
	 * Asks it to end, and waits until it has.
	 */
	@Override
	public void close() {
		this.process.close();
	}

}

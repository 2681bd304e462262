/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * DynamoDB Local in a process of its own. It keeps its tables in files, so that it has
 * them again after it was killed. Thread-safe.
 */
public final class Database implements AutoCloseable {

	private static final String READY = "DynamoDB Local is ready at ";

	private static final String HEAP = "512m";

	private final Path directory;

	private final Path log;

	private Process process;

	private final int port;

	private Database(Path directory, Path log) throws IOException {
		this.directory = directory;
		this.log = log;
		this.process = launch(0);
		this.port = awaitReady(this.process);
	}

	/**
	 * Starts it, without tables, and waits until it listens.
	 * @param directory where it keeps its files, which must not exist
	 * @param log where its standard error goes
	 * @return the running database
	 * @throws IOException if it does not start
	 */
	public static Database start(Path directory, Path log) throws IOException {
		Files.createDirectories(directory);
		return new Database(directory, log);
	}

	private Process launch(int port) throws IOException {
		return Java.start(HEAP, this.log, DatabaseMain.class,
				List.of("--port", Integer.toString(port), "--directory", this.directory.toString()));
	}

	private static int awaitReady(Process process) throws IOException {
		// Not closed: it says nothing more, and its output ends with it.
		BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
		@Nullable String line = output.readLine();
		if (line == null || !line.startsWith(READY)) {
			process.destroyForcibly();
			throw new IOException("DynamoDB Local did not start: expected \"" + READY + "...\", got "
					+ ((line == null) ? "nothing" : "\"" + line + "\""));
		}
		return URI.create(line.substring(READY.length())).getPort();
	}

	/** The port of the loopback address, the same after a restart. */
	public int port() {
		return this.port;
	}

	public URI endpoint() {
		return URI.create("http://127.0.0.1:" + this.port);
	}

	/**
	 * Kills it and starts it again, with the tables that it had.
	 * @throws IOException if it does not start again
	 * @throws InterruptedException if the thread is interrupted meanwhile
	 */
	public synchronized void restart() throws IOException, InterruptedException {
		this.process.destroyForcibly().waitFor();
		this.process = launch(this.port);
		awaitReady(this.process);
	}

	/**
	 * Lets it stand still.
	 * @param time how long
	 * @throws IOException if that is not possible
	 * @throws InterruptedException if the thread is interrupted meanwhile
	 */
	public synchronized void pause(Duration time) throws IOException, InterruptedException {
		Signals.pause(this.process, time);
	}

	@Override
	public synchronized void close() {
		this.process.destroyForcibly();
		try {
			this.process.waitFor(10, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}

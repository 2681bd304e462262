/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.DynamoDbLocal;
import io.github.dynamodblock.verification.harness.NodeProcess;

/**
 * DynamoDB Local in a separate process. It keeps its tables in files, so that it has them
 * again after it was killed. Thread-safe.
 */
public final class Database implements AutoCloseable {

	private static final String HEAP = "512m";

	private final Path logs;

	private final URI endpoint;

	private NodeProcess process;

	private int starts;

	/**
	 * Starts it, without tables, and waits until it listens.
	 * @param logs where it writes its logs, and a directory {@code database} with its
	 * files, which must not exist
	 * @throws IOException if its process cannot be started
	 * @throws InterruptedException if the thread is interrupted meanwhile
	 * @throws DemoFailedException if it does not come up
	 */
	public Database(Path logs) throws IOException, InterruptedException, DemoFailedException {
		this.logs = logs;
		Files.createDirectories(files());
		this.process = launch(0);
		this.endpoint = URI.create(this.process.awaitReady());
	}

	private Path files() {
		return this.logs.resolve("database");
	}

	private NodeProcess launch(int port) throws IOException {
		this.starts++;
		return NodeProcess.start("database-" + this.starts, this.logs, HEAP,
				List.of(DynamoDbLocal.class.getName(), Integer.toString(port), files().toString()), (event) -> {
				});
	}

	/** The address, the same after a restart. */
	public URI endpoint() {
		return this.endpoint;
	}

	/**
	 * Kills it and starts it again, with the tables that it had.
	 * @throws IOException if its process cannot be started
	 * @throws InterruptedException if the thread is interrupted meanwhile
	 * @throws DemoFailedException if it does not come up again
	 */
	public synchronized void restart() throws IOException, InterruptedException, DemoFailedException {
		this.process.kill();
		this.process.close();
		this.process = launch(this.endpoint.getPort());
		this.process.awaitReady();
	}

	/**
	 * Stops it for a time.
	 * @param time how long
	 * @throws IOException if that is not possible
	 * @throws InterruptedException if the thread is interrupted meanwhile
	 */
	public synchronized void pause(Duration time) throws IOException, InterruptedException {
		pause(this.process, time);
	}

	/** Stops a process for a time. */
	static void pause(NodeProcess process, Duration time) throws IOException, InterruptedException {
		process.pause();
		try {
			TimeUnit.NANOSECONDS.sleep(time.toNanos());
		}
		finally {
			process.resume();
		}
	}

	@Override
	public synchronized void close() {
		this.process.close();
	}

}

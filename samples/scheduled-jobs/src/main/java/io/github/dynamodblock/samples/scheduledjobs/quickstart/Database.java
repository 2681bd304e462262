/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * DynamoDB Local in a process of its own, on a free port of the loopback interface.
 */
final class Database implements AutoCloseable {

	private static final long START_SECONDS = 60;

	private final ChildProcess process;

	private final String endpoint;

	private Database(ChildProcess process, String endpoint) {
		this.process = process;
		this.endpoint = endpoint;
	}

	/**
	 * Starts it and waits until it listens.
	 * @param logs the folder for its log
	 */
	static Database start(Path logs) throws IOException, InterruptedException, RunFailedException {
		Path log = logs.resolve("dynamodb-local.log");
		CompletableFuture<String> endpoint = new CompletableFuture<>();
		ChildProcess process = ChildProcess.start("dynamodb-local", log, "256m", DatabaseProcess.class, List.of(),
				new ChildProcess.Listener() {

					@Override
					public void onLine(String line) {
						if (line.startsWith(DatabaseProcess.LISTENS_AT)) {
							endpoint.complete(line.substring(DatabaseProcess.LISTENS_AT.length()));
						}
					}

					@Override
					public void onEnd(Instant time, int status) {
						endpoint.completeExceptionally(new IllegalStateException("it ended with status " + status));
					}

				});
		boolean started = false;
		try {
			Database database = new Database(process, endpoint.get(START_SECONDS, TimeUnit.SECONDS));
			started = true;
			return database;
		}
		catch (ExecutionException ex) {
			throw new RunFailedException("DynamoDB Local did not start; see " + log);
		}
		catch (TimeoutException ex) {
			throw new RunFailedException("DynamoDB Local did not start within " + START_SECONDS + " s; see " + log);
		}
		finally {
			if (!started) {
				process.close();
			}
		}
	}

	String endpoint() {
		return this.endpoint;
	}

	@Override
	public void close() {
		this.process.close();
	}

}

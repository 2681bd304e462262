/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.io.IOException;
import java.nio.file.Path;

import io.github.dynamodblock.samples.support.DynamoDbLocal;
import io.github.dynamodblock.samples.support.ForegroundRun;
import io.github.dynamodblock.samples.support.RunFailedException;
import io.github.dynamodblock.samples.support.ServerProcess;

/**
 * Runs an instance of the service with DynamoDB Local until Ctrl-C, to be tried by hand.
 */
public final class ByHand {

	private static final int STATUS_USAGE = 2;

	private ByHand() {
	}

	/**
	 * Runs until a signal ends this process.
	 * @param args the port and the folder for the logs
	 */
	public static void main(String[] args) {
		if (args.length != 2) {
			System.err.println("Usage: " + ByHand.class.getName() + " PORT LOGS");
			System.exit(STATUS_USAGE);
		}
		int port = Integer.parseInt(args[0]);
		Path logs = Path.of(args[1]);
		System.exit(ForegroundRun.run(() -> run(port, logs), System.out::println));
	}

	private static boolean run(int port, Path logs) throws IOException, RunFailedException, InterruptedException {
		ForegroundRun.prepareLogs(logs);
		try (ServerProcess dynamoDb = DynamoDbLocal.start(logs);
				ServerProcess service = InstanceProcess.start("instance-1", logs, dynamoDb.awaitAddress(),
						"lock-server", port)) {
			System.out.println("The lock server is up at " + service.awaitAddress() + "; logs are in "
					+ logs.toAbsolutePath().normalize() + "; Ctrl-C ends it");
			int status = service.awaitEnd();
			throw new RunFailedException("the lock server ended of itself, with status " + status + "; see "
					+ logs.resolve(service.name() + ".log").toAbsolutePath().normalize());
		}
		catch (InterruptedException ex) {
			// Both have ended in order, which is what was asked for.
			return true;
		}
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.github.dynamodblock.server.LockServerApplication;
import io.github.dynamodblock.samples.support.ParentProcess;
import io.github.dynamodblock.samples.support.ServerProcess;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Runs the application in a process of its own. What it takes to be such a child stands
 * here, so that the application knows nothing of the trial.
 */
final class InstanceProcess {

	private InstanceProcess() {
	}

	/**
	 * Starts an instance that anybody on this machine may use.
	 * @param name what it is called
	 * @param logs the folder for its log
	 * @param endpoint where DynamoDB Local listens
	 * @param table the table of its locks
	 * @param port where it is to listen, or 0 for any free port
	 * @return the process, which does not listen yet
	 * @throws IOException if the process cannot be started
	 */
	static ServerProcess start(String name, Path logs, String endpoint, String table, int port) throws IOException {
		List<String> arguments = List.of("--server.address=127.0.0.1", "--server.port=" + port,
				"--authentication.disabled=true", "--dynamodb-lock.owner-name=" + name,
				"--dynamodb-lock.dynamodb.endpoint=" + endpoint, "--dynamodb-lock.dynamodb.region=local",
				"--dynamodb-lock.table.name=" + table);
		return ServerProcess.start(name, logs, "192m", InstanceProcess.class, arguments);
	}

	/**
	 * Runs the application until the parent wants it to end.
	 * @param args properties, as for the application
	 */
	public static void main(String[] args) {
		ParentProcess.obey((order) -> {
			// Nothing is said to it.
		});
		ConfigurableApplicationContext context = SpringApplication.run(LockServerApplication.class, args);
		ParentProcess
			.tellAddress("http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port"));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.support;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.github.dynamodblock.test.EmbeddedDynamoDb;

/**
 * DynamoDB Local in a process of its own, on a free port of the loopback interface.
 */
public final class DynamoDbLocal {

	private DynamoDbLocal() {
	}

	/**
	 * Starts it.
	 * @param logs the folder for its log
	 * @return the process, which does not listen yet
	 * @throws IOException if the process cannot be started
	 */
	public static ServerProcess start(Path logs) throws IOException {
		return ServerProcess.start("dynamodb-local", logs, "256m", DynamoDbLocal.class, List.of());
	}

	/**
	 * Runs DynamoDB Local until the parent wants it to end.
	 * @param args none
	 * @throws IOException if the standard input cannot be read
	 */
	public static void main(String[] args) throws IOException {
		try (EmbeddedDynamoDb database = EmbeddedDynamoDb.start()) {
			ParentProcess.tellAddress(database.endpoint().toString());
			ParentProcess.takeOrders((order) -> {
				// Nothing is said to it.
			});
		}
		System.exit(0);
	}

}

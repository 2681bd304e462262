/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.process;

import io.github.dynamodblock.faults.worker.Lifeline;
import io.github.dynamodblock.test.DynamoDbLocalServer;

/**
 * DynamoDB Local, which ends with the process that started it.
 */
final class DatabaseMain {

	private DatabaseMain() {
	}

	public static void main(String[] arguments) throws InterruptedException {
		Lifeline.watch((line) -> {
		});
		DynamoDbLocalServer.main(arguments);
	}

}

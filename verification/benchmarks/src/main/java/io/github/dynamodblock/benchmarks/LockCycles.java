/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import io.github.dynamodblock.LockClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The lock client of this project, with its default settings.
 */
final class LockCycles implements CycleClient {

	static final String NAME = "dynamodb-lock";

	private final LockClient client;

	LockCycles(DynamoDbClient dynamoDb, String table) {
		this.client = LockClient.builder(dynamoDb).tableName(table).build();
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public void cycle(int worker) throws InterruptedException {
		this.client.acquire("lock-" + worker).release();
	}

	@Override
	public void close() {
		this.client.close();
	}

}

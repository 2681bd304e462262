/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;

import com.amazonaws.services.dynamodbv2.AcquireLockOptions;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClient;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClientOptions;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The AWS lock client for Java with its default settings, which include heartbeats by a
 * thread in the background. It reads the lock before it writes, so a cycle is three
 * calls.
 */
final class AwsCycles implements CycleClient {

	private final AmazonDynamoDBLockClient client;

	AwsCycles(DynamoDbClient dynamoDb, String table) {
		this.client = new AmazonDynamoDBLockClient(AmazonDynamoDBLockClientOptions.builder(dynamoDb, table)
			.withCreateHeartbeatBackgroundThread(true)
			.build());
	}

	@Override
	public String name() {
		return "AWS lock client";
	}

	@Override
	public void cycle(int worker) throws InterruptedException {
		this.client.acquireLock(AcquireLockOptions.builder("aws-" + worker).build()).close();
	}

	@Override
	public void close() {
		try {
			this.client.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

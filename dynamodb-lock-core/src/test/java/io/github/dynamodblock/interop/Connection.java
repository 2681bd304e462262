/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.interop;

import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.testing.TestDynamoDb;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * One client's way to DynamoDB. A test cuts it to make the client die for all others,
 * though its process lives on. Thread-safe.
 */
final class Connection implements ExecutionInterceptor, AutoCloseable {

	private final DynamoDbClient dynamoDb = TestDynamoDb
		.newClient((builder) -> builder.overrideConfiguration((override) -> override.addExecutionInterceptor(this)));

	private final AtomicInteger calls = new AtomicInteger();

	private volatile boolean isCut;

	DynamoDbClient dynamoDb() {
		return this.dynamoDb;
	}

	/** From now on nothing that the client sends arrives. */
	void cut() {
		this.isCut = true;
	}

	void mend() {
		this.isCut = false;
	}

	/** How many calls the client has made. */
	int calls() {
		return this.calls.get();
	}

	@Override
	public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
		this.calls.incrementAndGet();
		if (this.isCut) {
			throw new IllegalStateException("the test cut this client's connection");
		}
	}

	@Override
	public void close() {
		this.dynamoDb.close();
	}

}

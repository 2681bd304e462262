/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/**
 * A separate lock table on this JVM's DynamoDB Local, and lock clients for it.
 */
final class TestTable implements AutoCloseable {

	/** Tests wait for its end. Long enough for a machine that stalls for seconds. */
	static final Duration LEASE = Duration.ofSeconds(4);

	/** No test waits for its end. */
	static final Duration LONG_LEASE = Duration.ofSeconds(30);

	private static final EmbeddedDynamoDb SERVER = EmbeddedDynamoDb.start();

	private final String name = "locks-" + UUID.randomUUID();

	private final List<AutoCloseable> opened = new ArrayList<>();

	TestTable() {
		LockTable.of(dynamoDb(), this.name).createIfMissing();
	}

	static DynamoDbClient dynamoDb() {
		return SERVER.client();
	}

	LockClient newClient() {
		return newClient(LEASE);
	}

	LockClient newClient(Duration lease) {
		return open(LockClient.builder(dynamoDb()).tableName(this.name).ownerName("node").leaseDuration(lease).build());
	}

	LockClient newClient(Access access) {
		DynamoDbClient dynamoDb = open(SERVER.newClient(
				(builder) -> builder.overrideConfiguration((override) -> override.addExecutionInterceptor(access))));
		return open(LockClient.builder(dynamoDb).tableName(this.name).leaseDuration(LEASE).build());
	}

	private <T extends AutoCloseable> T open(T resource) {
		this.opened.add(0, resource);
		return resource;
	}

	@Override
	public void close() throws Exception {
		for (AutoCloseable resource : this.opened) {
			resource.close();
		}
		dynamoDb().deleteTable((request) -> request.tableName(this.name));
	}

	/** Denies a client's calls to DynamoDB while {@link #deny} is on. */
	static final class Access implements ExecutionInterceptor {

		private volatile boolean denied;

		void deny(boolean denied) {
			this.denied = denied;
		}

		@Override
		public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
			if (this.denied) {
				throw DynamoDbException.builder()
					.statusCode(400)
					.awsErrorDetails(AwsErrorDetails.builder()
						.errorCode("AccessDeniedException")
						.errorMessage("denied by the test")
						.build())
					.message("denied by the test")
					.build();
			}
		}

	}

}

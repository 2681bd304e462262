/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.operation;

import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.ServiceInstance;
import io.github.dynamodblock.table.LockTable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what the service's health says of its table.
 */
@Execution(ExecutionMode.CONCURRENT)
class HealthTests {

	private static final String TABLE = "health-tests";

	private static final String[] PROPERTIES = { "authentication.disabled=true", "dynamodb-lock.table.name=" + TABLE };

	@Test
	void anInstanceWithoutItsTableIsNotReadyButAlive() {
		try (ServiceInstance service = ServiceInstance.start(PROPERTIES)) {
			LockServerCalls calls = service.management();
			assertHealth(calls, "/actuator/health", 200, "UP");
			assertHealth(calls, "/actuator/health/readiness", 200, "UP");

			ServiceInstance.dynamoDb().client().deleteTable((request) -> request.tableName(TABLE));
			Answer health = assertHealth(calls, "/actuator/health", 503, "DOWN");
			assertThat(health.body().at("/components/dynamoDbLock/status").asString()).isEqualTo("DOWN");
			assertThat(health.body().findValues("details")).isEmpty();
			assertThat(health.text()).as("No word of the error, of the host, or of the disk")
				.doesNotContain(TABLE, "ResourceNotFound", "Exception", "error", "path", "/");
			assertHealth(calls, "/actuator/health/readiness", 503, "DOWN");
			assertHealth(calls, "/actuator/health/liveness", 200, "UP");

			LockTable.of(ServiceInstance.dynamoDb().client(), TABLE)
				.partitionKeyName("namespace")
				.sortKeyName("lockName")
				.createIfMissing();
			assertHealth(calls, "/actuator/health/readiness", 200, "UP");
		}
	}

	/** The health of the table is remembered for a second. */
	private static Answer assertHealth(LockServerCalls calls, String path, int status, String expected) {
		return Awaitility.await()
			.until(() -> calls.raw("GET", path, null),
					(answer) -> answer.status() == status && answer.body().path("status").asString().equals(expected));
	}

}

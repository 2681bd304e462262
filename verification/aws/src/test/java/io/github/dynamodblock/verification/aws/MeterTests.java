/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class MeterTests {

	@Test
	void callsAreCountedWithTheCapacityThatDynamoDbReports() throws InterruptedException {
		List<String> observed = new ArrayList<>();
		Meter meter = new Meter(Meter.LIMIT, (operation, writes, reads) -> observed.add(operation));
		RunContext context = LocalRun.context(meter);
		try (DynamoDbClient dynamoDb = context.newClient()) {
			String table = context.createTable(dynamoDb, "meter");
			try (LockClient locks = LockClient.builder(dynamoDb).tableName(table).build();
					LockClient other = LockClient.builder(dynamoDb).tableName(table).build()) {
				HeldLock lock = locks.acquire("lock");
				assertThat(other.tryAcquire("lock")).isEmpty();
				locks.find("lock");
				lock.release();
			}
		}
		finally {
			delete(context);
		}
		assertThat(meter.calls("CreateTable")).isOne();
		// The refused write counts, too.
		assertThat(meter.calls("UpdateItem")).isEqualTo(3);
		assertThat(meter.cost().writeUnits()).isEqualTo(3);
		assertThat(meter.cost().readUnits()).isEqualTo(1);
		assertThat(observed).contains("CreateTable", "UpdateItem", "GetItem");
	}

	@Test
	void callsForItemsAreRejectedOnceTheLimitIsExceeded() {
		RunContext context = LocalRun.context(new Meter(new Cost(1, 100)));
		try (DynamoDbClient dynamoDb = context.newClient()) {
			String table = context.createTable(dynamoDb, "limit");
			Map<String, AttributeValue> item = Map.of("key", AttributeValue.fromS("item"));
			PutItemRequest put = PutItemRequest.builder().tableName(table).item(item).build();
			dynamoDb.putItem(put);
			dynamoDb.putItem(put);
			assertThatIllegalStateException().isThrownBy(() -> dynamoDb.putItem(put))
				.withMessage("This run has reached its limit of capacity: 1 write units and 100 read units");
		}
		finally {
			delete(context);
		}
	}

	private static void delete(RunContext context) {
		try (DynamoDbClient plain = context.target().newClient()) {
			assertThat(context.tables().delete(plain, Duration.ofSeconds(20))).isEmpty();
		}
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

class CallMeterTests {

	private static final Map<String, AttributeValue> KEY = Map.of("key", AttributeValue.fromS("a"));

	@BeforeAll
	static void createTable() {
		SharedDatabase.INSTANCE.createTable("metered");
	}

	@Test
	void countsEachCallAtItsPrice() throws Exception {
		CallMeter meter = new CallMeter();
		try (DynamoDbClient client = SharedDatabase.INSTANCE.newClient(meter)) {
			client.getItem((get) -> get.tableName("metered").key(KEY));
			assertThat(meter.units()).isEqualTo(0.5);
			client.getItem((get) -> get.tableName("metered").key(KEY).consistentRead(true));
			assertThat(meter.units()).isEqualTo(1.5);
			client.updateItem((update) -> update.tableName("metered").key(KEY));
			assertThat(meter.units()).isEqualTo(2.5);
			assertThat(meter.calls()).isEqualTo(3);
			assertThat(meter.writes()).isEqualTo(1);
		}
	}

	@Test
	void aRefusedWriteCostsWhatAnAppliedOneDoes() throws Exception {
		CallMeter meter = new CallMeter();
		try (DynamoDbClient holderDynamoDb = SharedDatabase.INSTANCE.newClient();
				DynamoDbClient otherDynamoDb = SharedDatabase.INSTANCE.newClient(meter);
				LockClient holder = LockClient.builder(holderDynamoDb).tableName("metered").build();
				LockClient other = LockClient.builder(otherDynamoDb).tableName("metered").build();
				HeldLock held = holder.acquire("b")) {
			assertThat(other.tryAcquire(LockRequest.of("b").waitTime(Duration.ZERO))).isEmpty();
			assertThat(meter.calls()).isEqualTo(1);
			assertThat(meter.units()).isEqualTo(1);
			assertThat(held.isHeld()).isTrue();
		}
	}

	@Test
	void theDatabaseEndsWithItsHandle() throws IOException {
		DatabaseProcess other = DatabaseProcess.start();
		assertThat(other.isAlive()).isTrue();
		other.close();
		assertThat(other.isAlive()).isFalse();
	}

}

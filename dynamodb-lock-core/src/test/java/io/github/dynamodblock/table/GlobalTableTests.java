/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.table;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.testing.CallRecorder;
import io.github.dynamodblock.testing.GlobalTable;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A global table with multi-region strong consistency, which has neither time to live nor
 * transactions.
 */
class GlobalTableTests {

	private final String name = TestDynamoDb.newTable().tableName();

	private final CallRecorder calls = new CallRecorder();

	private final GlobalTable globalTable = new GlobalTable();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClient(this.calls, this.globalTable);

	private final LockTable table = LockTable.of(this.dynamoDb, this.name);

	@AfterEach
	void close() {
		this.dynamoDb.close();
	}

	@Test
	void noTimeToLiveIsAskedFor() {
		this.table.check();
		inAnHour().check();
		assertThat(this.calls.operations()).containsOnly("DescribeTable");
	}

	@Test
	void noTimeToLiveIsSetEvenIfTheTableIsNew() {
		assertThat(this.table.createIfMissing()).isFalse();
		assertThat(inAnHour().createIfMissing()).isFalse();
		assertThat(this.calls.operations()).containsOnly("DescribeTable");
	}

	private LockTable inAnHour() {
		return this.table.clock(new TableSetup.PollClock() {
			@Override
			public Instant timeOfDay() {
				return Instant.now().plus(Duration.ofHours(1));
			}
		});
	}

	@Test
	void afterACheckAGuardedWriteFailsBeforeItIsSent() throws InterruptedException {
		this.table.check();
		try (LockClient client = client(); HeldLock lock = client.acquire("k")) {
			assertRefused(lock, "was not sent: lock table '" + this.name + "' is a global table");
			assertThat(this.calls.operations()).doesNotContain("TransactWriteItems");
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@Test
	void withoutACheckDynamoDbRefusesAGuardedWriteForTheSameReason() throws InterruptedException {
		try (LockClient client = client(); HeldLock lock = client.acquire("k")) {
			assertRefused(lock, "This operation is not supported on this table");
			assertThat(this.calls.operations()).contains("TransactWriteItems");
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@Test
	void aCheckOfAnotherTableChangesNothing() throws InterruptedException {
		LockTable.of(this.dynamoDb, TestDynamoDb.newTable().tableName()).check();
		try (LockClient client = client(); HeldLock lock = client.acquire("k")) {
			assertRefused(lock, "This operation is not supported on this table");
		}
	}

	@Test
	void aGuardedWriteIsSentAgainAfterACheckOfTheTableWithoutItsReplicas() throws InterruptedException {
		this.table.check();
		this.globalTable.removeReplicas();
		this.table.check();
		try (LockClient client = client(); HeldLock lock = client.acquire("k")) {
			lock.transactWrite(List.of(item()));
			assertThat(this.calls.operations()).contains("TransactWriteItems");
		}
	}

	private LockClient client() {
		return LockClient.builder(this.dynamoDb).tableName(this.name).leaseDuration(Duration.ofSeconds(20)).build();
	}

	private void assertRefused(HeldLock lock, String why) {
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> lock.transactWrite(List.of(item())))
			.withMessageContaining(why)
			.withMessageContaining(
					"DynamoDB has no transactions across regions, nor on global tables with multi-region "
							+ "strong consistency; guard such writes with the lock's fencing token instead");
	}

	private TransactWriteItem item() {
		return TransactWriteItem.builder()
			.put((put) -> put.tableName(this.name).item(Map.of("key", AttributeValue.fromS("other"))))
			.build();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Lock clients on tables in memory, as tests of applications use them.
 */
class InMemoryLockClientTests {

	private final InMemoryDynamoDb dynamoDb = InMemoryDynamoDb.withLockTable("locks");

	@Test
	void clientsOfOneInstanceExcludeEachOther() throws InterruptedException {
		try (LockClient node1 = LockClient.builder(this.dynamoDb).build();
				LockClient node2 = LockClient.builder(this.dynamoDb).build()) {
			HeldLock lock = node1.acquire("report");
			assertThat(node2.tryAcquire("report")).isEmpty();
			assertThat(node2.find("report"))
				.hasValueSatisfying((record) -> assertThat(record.ownerName()).isEqualTo(node1.ownerName()));
			lock.renew();
			lock.release();
			HeldLock next = node2.acquire("report");
			assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
			assertThat(node1.list()).extracting(LockRecord::key).containsExactly(LockKey.of("report"));
			node1.forceRelease(LockKey.of("report"), node2.ownerName());
			assertThatExceptionOfType(LockLostException.class).isThrownBy(next::renew);
		}
	}

	@Test
	void ofManyThreadsOneAtATimeHoldsTheLock() throws Exception {
		AtomicInteger inside = new AtomicInteger();
		int[] count = new int[1];
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try (LockClient node1 = LockClient.builder(this.dynamoDb).build();
				LockClient node2 = LockClient.builder(this.dynamoDb).build()) {
			for (Future<?> worker : IntStream.range(0, 4).<Future<?>>mapToObj((number) -> threads.submit(() -> {
				LockClient client = (number % 2 == 0) ? node1 : node2;
				for (int i = 0; i < 10; i++) {
					try (HeldLock lock = client.acquire(LockRequest.of("counter").waitTime(Duration.ofMinutes(1)))) {
						assertThat(inside.incrementAndGet()).as("holders").isOne();
						count[0]++;
						inside.decrementAndGet();
						lock.ensureHeld();
					}
				}
				return null;
			})).toList()) {
				worker.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(count[0]).isEqualTo(40);
	}

	@Test
	void aLockTableIsCreatedAndCheckedAsInDynamoDb() throws InterruptedException {
		LockTable.of(this.dynamoDb, "others").partitionKeyName("id").createIfMissing();
		LockTable.of(this.dynamoDb, "others").partitionKeyName("id").createIfMissing();
		try (LockClient client = LockClient.builder(this.dynamoDb).tableName("others").partitionKeyName("id").build();
				LockClient wrong = LockClient.builder(this.dynamoDb).tableName("others").build();
				LockClient missing = LockClient.builder(this.dynamoDb).tableName("missing").build()) {
			client.acquire("k").release();
			assertThatExceptionOfType(LockTableException.class).isThrownBy(() -> wrong.acquire("k"))
				.returns(LockTableException.Problem.WRONG_KEY_SCHEMA, LockTableException::problem);
			assertThatExceptionOfType(LockTableException.class).isThrownBy(() -> missing.acquire("k"))
				.returns(LockTableException.Problem.MISSING, LockTableException::problem);
		}
	}

	@Test
	void aTransactionWritesAllOrNothing() {
		Map<String, AttributeValue> one = Map.of("key", AttributeValue.fromS("one"), "n", AttributeValue.fromN("1"));
		this.dynamoDb.putItem((put) -> put.tableName("locks").item(one));
		assertThatExceptionOfType(TransactionCanceledException.class)
			.isThrownBy(() -> write("one", "n = :expected", "2"))
			.satisfies((ex) -> assertThat(ex.cancellationReasons()).extracting((reason) -> reason.code())
				.containsExactly("None", "ConditionalCheckFailed"));
		assertThat(item("two")).isEmpty();
		write("one", "n = :expected", "1");
		assertThat(item("two")).containsKey("key");
	}

	private void write(String key, String condition, String expected) {
		Put put = Put.builder().tableName("locks").item(Map.of("key", AttributeValue.fromS("two"))).build();
		ConditionCheck check = ConditionCheck.builder()
			.tableName("locks")
			.key(Map.of("key", AttributeValue.fromS(key)))
			.conditionExpression(condition)
			.expressionAttributeValues(Map.of(":expected", AttributeValue.fromN(expected)))
			.build();
		this.dynamoDb
			.transactWriteItems((transaction) -> transaction.transactItems(TransactWriteItem.builder().put(put).build(),
					TransactWriteItem.builder().conditionCheck(check).build()));
	}

	private Map<String, AttributeValue> item(String key) {
		return this.dynamoDb.getItem((get) -> get.tableName("locks").key(Map.of("key", AttributeValue.fromS(key))))
			.item();
	}

}

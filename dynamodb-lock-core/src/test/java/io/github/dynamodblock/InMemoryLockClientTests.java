/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.util.Map;

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
 * Lock clients on tables in memory, as tests of applications use them, keep the contract.
 */
class InMemoryLockClientTests extends LockClientContract {

	InMemoryLockClientTests() {
		super(InMemoryDynamoDb.withLockTable("locks"));
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

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;
import java.util.Set;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.testing.CallRecorder;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is sent for each write and read, and what it costs.
 */
class StoreCallsTests {

	private static final long LIMIT = Duration.ofSeconds(20).toNanos();

	private static final LockKey KEY = LockKey.of("orders-42");

	private final CallRecorder recorder = new CallRecorder();

	private final DynamoDbClient client = TestDynamoDb.newClient(this.recorder);

	private final LockStore store = new DynamoDbLockStore(this.client, TestDynamoDb.newTable());

	@AfterEach
	void closeClient() {
		this.client.close();
	}

	@Test
	void everyWriteIsOneConditionalUpdateOfOneWriteUnit() {
		claim("v1");
		write(Writes.renew(KEY, "v2", "v1", Duration.ofSeconds(20), null));
		write(Writes.release(KEY, "v3", Set.of("v2"), null, false));
		assertThat(this.recorder.operations()).containsExactly("UpdateItem", "UpdateItem", "UpdateItem");
		assertThat(this.recorder.calls()).allSatisfy((call) -> {
			assertThat(call.consumedUnits()).hasValue(1);
			assertThat(((UpdateItemRequest) call.request()).conditionExpression()).isNotEmpty();
		});
	}

	@Test
	void aDeletingReleaseIsOneConditionalDeleteOfOneWriteUnit() {
		claim("v1");
		this.recorder.clear();
		write(Writes.release(KEY, "v2", Set.of("v1"), null, true));
		assertThat(this.recorder.operations()).containsExactly("DeleteItem");
		assertThat(this.recorder.calls().get(0).consumedUnits()).hasValue(1);
	}

	@Test
	void aRefusedWriteBringsTheItemWithoutAnotherCall() {
		claim("v1");
		this.recorder.clear();
		assertThat(claim("v2")).isInstanceOfSatisfying(Answer.Refused.class,
				(refused) -> assertThat(refused.record()).isNotNull());
		assertThat(this.recorder.calls()).singleElement()
			.satisfies((call) -> assertThat(((UpdateItemRequest) call.request()).returnValuesOnConditionCheckFailure())
				.isEqualTo(ReturnValuesOnConditionCheckFailure.ALL_OLD));
	}

	@Test
	void onlyAConsistentReadPaysForIt() {
		claim("v1");
		this.recorder.clear();
		this.store.send(new Step.Read(KEY, true, LIMIT));
		this.store.send(new Step.Read(KEY, false, LIMIT));
		assertThat(this.recorder.calls()).extracting((call) -> ((GetItemRequest) call.request()).consistentRead())
			.containsExactly(true, false);
		assertThat(this.recorder.calls()).extracting((call) -> call.consumedUnits().orElseThrow())
			.containsExactly(1.0, 0.5);
	}

	@Test
	void everyCallHasItsOwnTimeLimit() {
		claim("v1");
		write(Writes.release(KEY, "v2", Set.of("v1"), null, true));
		this.store.send(new Step.Read(KEY, true, LIMIT));
		assertThat(this.recorder.calls()).hasSize(3)
			.extracting((call) -> call.request().overrideConfiguration().orElseThrow().apiCallTimeout().orElseThrow())
			.allSatisfy((limit) -> assertThat(limit).isBetween(Duration.ofMillis(19_901), Duration.ofSeconds(20)));
	}

	private Answer claim(String version) {
		LockRecord wanted = LockRecord.builder(KEY, "alice", Duration.ofSeconds(20), version).build();
		return this.store.send(new Step.Write(Writes.claim(wanted, 0, null, null), LIMIT));
	}

	private void write(LockWrite write) {
		assertThat(this.store.send(new Step.Write(write, LIMIT))).isInstanceOf(Answer.Applied.class);
	}

}

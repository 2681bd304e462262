/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.testing;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.testing.FaultyCalls.Injection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The faults are what they say, so that a test which survives them shows something.
 */
class FaultyCallsTests {

	private final String table = TestDynamoDb.newTable().tableName();

	private final FaultyCalls faults = new FaultyCalls();

	private final DynamoDbClient client = TestDynamoDb.newClientWithoutRetries(this.faults);

	private final DynamoDbClient patient = TestDynamoDb.newClient(this.faults);

	@AfterEach
	void close() {
		this.client.close();
		this.patient.close();
	}

	@Test
	void aLostAnswerComesAfterTheEffectAndALostRequestHasNone() {
		Injection lost = this.faults.inject(CallFault.answerLost(), FaultyCallsTests::isUpdate, 1);
		assertThatExceptionOfType(SdkClientException.class).isThrownBy(() -> count(this.client));
		assertThat(counted()).isEqualTo(1);
		this.faults.inject(CallFault.requestLost(), FaultyCallsTests::isUpdate, 1);
		assertThatExceptionOfType(SdkClientException.class).isThrownBy(() -> count(this.client));
		assertThat(counted()).isEqualTo(1);
		count(this.client);
		assertThat(counted()).isEqualTo(2);
		assertThat(lost.count()).isEqualTo(1);
	}

	@Test
	void theSdkRepeatsWhatItWouldRepeatInProduction() {
		Injection lost = this.faults.inject(CallFault.answerLost(), FaultyCallsTests::isUpdate, 1);
		Injection throttled = this.faults.inject(CallFault.throttled(), FaultyCallsTests::isUpdate, 1);
		count(this.patient);
		assertThat(counted()).isEqualTo(2);
		assertThat(lost.count() + throttled.count()).isEqualTo(2);
	}

	@Test
	void anErrorOfTheServiceComesBeforeOrAfterTheEffect() {
		this.faults.inject(CallFault.serverError(), FaultyCallsTests::isUpdate, 1);
		assertThatExceptionOfType(InternalServerErrorException.class).isThrownBy(() -> count(this.client));
		assertThat(counted()).isZero();
		this.faults.inject(CallFault.serverErrorAfterwards(), FaultyCallsTests::isUpdate, 1);
		assertThatExceptionOfType(InternalServerErrorException.class).isThrownBy(() -> count(this.client));
		assertThat(counted()).isEqualTo(1);
	}

	@Test
	void aDuplicateArrivesTwice() {
		Duplicate late = Duplicate.late();
		this.faults.inject(Duplicate.atOnce(), FaultyCallsTests::isUpdate, 1);
		this.faults.inject(late, FaultyCallsTests::isUpdate, 1);
		count(this.client);
		assertThat(counted()).isEqualTo(2);
		count(this.client);
		assertThat(counted()).isEqualTo(3);
		assertThat(late.deliver()).isEqualTo(1);
		assertThat(counted()).isEqualTo(4);
	}

	@Test
	void aHangLastsUntilTheCallsLimitOrUntilItIsLetGo() {
		try (Hang hang = Hang.untilTheirLimit()) {
			this.faults.inject(hang, FaultyCallsTests::isUpdate, 1);
			assertThatExceptionOfType(ApiCallTimeoutException.class).isThrownBy(() -> count(this.client));
		}
		Hang hang = Hang.beyondTheirLimit();
		this.faults.inject(hang, FaultyCallsTests::isUpdate, 1);
		CompletableFuture<Void> call = CompletableFuture.runAsync(() -> count(this.client));
		await().until(() -> hang.hanging() == 1);
		hang.close();
		assertThat(call.handle((nothing, late) -> true)).succeedsWithin(Duration.ofSeconds(30));
		assertThat(hang.hanging()).isZero();
	}

	private static boolean isUpdate(SdkRequest request) {
		return request instanceof UpdateItemRequest;
	}

	private void count(DynamoDbClient client) {
		client.updateItem((update) -> update.tableName(this.table)
			.key(Map.of("key", AttributeValue.fromS("k")))
			.updateExpression("ADD times :one")
			.expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1")))
			.overrideConfiguration((override) -> override.apiCallTimeout(Duration.ofSeconds(2))));
	}

	private int counted() {
		Map<String, AttributeValue> item = TestDynamoDb.client()
			.getItem((get) -> get.tableName(this.table)
				.key(Map.of("key", AttributeValue.fromS("k")))
				.consistentRead(true))
			.item();
		return Integer.parseInt(item.getOrDefault("times", AttributeValue.fromN("0")).n());
	}

}

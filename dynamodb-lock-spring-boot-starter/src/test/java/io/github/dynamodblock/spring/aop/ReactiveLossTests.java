/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockRow;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class ReactiveLossTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final CallRecorder calls = new CallRecorder();

	private final ReactiveWork work = new ReactiveWork();

	@ParameterizedTest
	@EnumSource
	void aFailingReleaseDoesNotReplaceTheResult(ReactiveStyle style, EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			CompletableFuture<?> result = style.fulfil(context.getBean(ReactiveOrders.class), this.work)
				.collectList()
				.toFuture();
			this.work.awaitSubscribed();
			this.calls.deny(UpdateItemRequest.class::isInstance);
			this.work.finish();
			assertThat(result).succeedsWithin(LIMIT).isEqualTo(List.of("done"));
			await().untilAsserted(() -> assertThat(log).contains("Lock 'orders:1' could not be released when"));
			this.calls.deny((request) -> false);
		});
	}

	@ParameterizedTest
	@EnumSource
	void theResultIsKeptWhenTheLockIsLost(ReactiveStyle style, EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			CompletableFuture<?> result = style.fulfil(context.getBean(ReactiveOrders.class), this.work)
				.collectList()
				.toFuture();
			this.work.awaitSubscribed();
			new LockRow(dynamoDb, context, "orders:1").steal();
			this.work.finish();
			assertThat(result).succeedsWithin(LIMIT).isEqualTo(List.of("done"));
			await().untilAsserted(
					() -> assertThat(log).containsPattern("INFO .*Lock 'orders:1' .* was lost while .* ran: STOLEN"));
		});
	}

	@ParameterizedTest
	@EnumSource
	void aLossCancelsTheBodyIfWanted(ReactiveStyle style, EmbeddedDynamoDb dynamoDb) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			CompletableFuture<?> result = style.strictly(context.getBean(ReactiveOrders.class), this.work)
				.then()
				.toFuture();
			this.work.awaitSubscribed();
			new LockRow(dynamoDb, context, "orders:1").steal();
			assertThat(result).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LockLostException.class);
			this.work.awaitCancelled();
		});
	}

	@ParameterizedTest
	@EnumSource
	void anEndThatComesWithALossIsNotGivenIfSoWanted(ReactiveStyle style, EmbeddedDynamoDb dynamoDb) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			CompletableFuture<?> result = style.strictly(context.getBean(ReactiveOrders.class), this.work)
				.then()
				.toFuture();
			this.work.awaitSubscribed();
			new LockRow(dynamoDb, context, "orders:1").steal();
			this.work.finish();
			assertThat(result).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LockLostException.class);
		});
	}

	@Test
	void aFailureThatComesWithALossGoesWithIt(EmbeddedDynamoDb dynamoDb) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			IllegalArgumentException failure = new IllegalArgumentException("the body's");
			CompletableFuture<?> result = ReactiveStyle.MONO.strictly(context.getBean(ReactiveOrders.class), this.work)
				.then()
				.toFuture();
			this.work.awaitSubscribed();
			new LockRow(dynamoDb, context, "orders:1").steal();
			this.work.fail(failure);
			assertThat(result).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LockLostException.class)
				.satisfies((lost) -> assertThat(lost.getSuppressed()).contains(failure));
		});
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(DynamoDbExtension.class)
class ReactiveBusyTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final CallRecorder calls = new CallRecorder();

	private final ReactiveWork work = new ReactiveWork();

	@ParameterizedTest
	@EnumSource
	void whileTheLockIsBusyTheSubscriberIsToldWhoHoldsIt(ReactiveStyle style, EmbeddedDynamoDb dynamoDb) {
		busy(dynamoDb,
				(orders, holder) -> assertThat(style.fulfil(orders, this.work).then().toFuture()).failsWithin(LIMIT)
					.withThrowableThat()
					.havingCause()
					.isInstanceOf(LockNotGrantedException.class)
					.withMessageContaining(holder));
	}

	@ParameterizedTest
	@EnumSource
	void whileTheLockIsBusyASkippedCallIsEmpty(ReactiveStyle style, EmbeddedDynamoDb dynamoDb) {
		busy(dynamoDb, (orders, holder) -> {
			assertThat(style.skip(orders).collectList().toFuture()).succeedsWithin(LIMIT).isEqualTo(List.of());
			assertThat(orders.bodies()).isZero();
		});
	}

	@ParameterizedTest
	@EnumSource
	void whileTheLockIsBusyTheFallbackAnswers(ReactiveStyle style, EmbeddedDynamoDb dynamoDb) {
		busy(dynamoDb,
				(orders, holder) -> assertThat(style.orElse(orders).collectList().toFuture()).succeedsWithin(LIMIT)
					.isEqualTo(List.of("instead of argument")));
	}

	@Test
	void aRefusalOfAnotherLockInTheBodyIsNotAnsweredByTheFallback(EmbeddedDynamoDb dynamoDb) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			LockNotGrantedException other = new LockNotGrantedException(LockKey.of("other"), "at all", null, null);
			assertThat(context.getBean(ReactiveOrders.class).failing(other).toFuture()).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.isSameAs(other);
		});
	}

	@Test
	void aStoreThatDoesNotAnswerIsNotBusy(EmbeddedDynamoDb dynamoDb) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			this.calls.deny(UpdateItemRequest.class::isInstance);
			assertThat(context.getBean(ReactiveOrders.class).skipMono().toFuture()).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LockStoreException.class);
			this.calls.deny((request) -> false);
		});
	}

	private void busy(EmbeddedDynamoDb dynamoDb, BiConsumer<ReactiveOrders, String> check) {
		ApplicationContextRunner node = ReactiveWork.node(dynamoDb, this.calls);
		node.run((first) -> node.run((second) -> {
			CompletableFuture<?> holding = first.getBean(ReactiveOrders.class)
				.values(this.work.values())
				.then()
				.toFuture();
			this.work.awaitSubscribed();
			check.accept(second.getBean(ReactiveOrders.class), first.getBean(LockClient.class).ownerName());
			this.work.finish();
			assertThat(holding).succeedsWithin(LIMIT);
		}));
	}

}

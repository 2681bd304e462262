/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.function.BiConsumer;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(DynamoDbExtension.class)
class BusyLockTests {

	private final CallRecorder calls = new CallRecorder();

	@Test
	void theFallbackAnswersWithTheArgumentsOfTheCall(EmbeddedDynamoDb dynamoDb) {
		busy(dynamoDb, (orders, holder) -> {
			assertThat(orders.plain("7", 8)).isEqualTo("instead of 7 and 8");
			assertThat(orders.explained("7")).startsWith("7: Lock 'orders' was not granted").contains(holder);
		});
	}

	@Test
	void whatTheFallbackThrowsIsTheCallers(EmbeddedDynamoDb dynamoDb) {
		busy(dynamoDb,
				(orders, holder) -> assertThatExceptionOfType(UnsupportedOperationException.class)
					.isThrownBy(orders::failing)
					.withMessage("the fallback's"));
	}

	@Test
	void theFallbackIsNotAskedWhenTheLockIsFree(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			assertThat(context.getBean(Orders.class).plain("7", 8)).isEqualTo("ran");
			assertThat(context.getBean(Orders.class).explained("7")).isEqualTo("ran");
		});
	}

	@Test
	void aRefusalOfAnotherLockInTheBodyIsNotAnsweredByTheFallback(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockNotGrantedException other = new LockNotGrantedException(LockKey.of("other"), "at all", null, null);
			assertThatExceptionOfType(LockNotGrantedException.class)
				.isThrownBy(() -> context.getBean(Orders.class).throwing(other))
				.isSameAs(other);
		});
	}

	@Test
	void aStoreThatDoesNotAnswerIsNotBusy(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			this.calls.deny(UpdateItemRequest.class::isInstance);
			assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> context.getBean(Orders.class).explained("7"));
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(context.getBean(Orders.class)::skip);
			this.calls.deny((request) -> false);
		});
	}

	private void busy(EmbeddedDynamoDb dynamoDb, BiConsumer<Orders, String> check) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node.run((second) -> first.getBean(Orders.class)
			.holding(() -> check.accept(second.getBean(Orders.class), first.getBean(LockClient.class).ownerName()))));
	}

	private ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb, this.calls::attach).withBean(Orders.class);
	}

	static class Orders {

		@DistributedLock("orders")
		void holding(Runnable body) {
			body.run();
		}

		@DistributedLock(name = "orders", waitTime = "0s", onBusy = OnBusy.FALLBACK, fallback = "plainInstead")
		String plain(String text, int number) {
			return "ran";
		}

		String plainInstead(String text, int number) {
			return "instead of " + text + " and " + number;
		}

		@DistributedLock(name = "orders", waitTime = "0s", onBusy = OnBusy.FALLBACK, fallback = "explainedInstead")
		String explained(String text) {
			return "ran";
		}

		String explainedInstead(String text, LockNotGrantedException refusal) {
			return text + ": " + refusal.getMessage();
		}

		@DistributedLock(name = "orders", waitTime = "0s", onBusy = OnBusy.FALLBACK, fallback = "failingInstead")
		void failing() {
			throw new AssertionError("runs although the lock is held");
		}

		void failingInstead() {
			throw new UnsupportedOperationException("the fallback's");
		}

		@DistributedLock(name = "orders", onBusy = OnBusy.FALLBACK, fallback = "neverAsked")
		void throwing(RuntimeException failure) {
			throw failure;
		}

		void neverAsked(RuntimeException failure) {
			throw new AssertionError("the fallback was asked", failure);
		}

		@DistributedLock(name = "orders", onBusy = OnBusy.SKIP)
		void skip() {
			throw new AssertionError("runs although the lock was not granted");
		}

	}

}

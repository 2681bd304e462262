/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockRow;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Order(1)
@ExtendWith(DynamoDbExtension.class)
class ReactiveMethodTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final CallRecorder calls = new CallRecorder();

	private final ReactiveWork work = new ReactiveWork();

	@ParameterizedTest
	@EnumSource
	void nothingHappensBeforeThereIsASubscriber(ReactiveStyle style, EmbeddedDynamoDb dynamoDb) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			this.calls.clear();
			Flux<String> cold = style.fulfil(context.getBean(ReactiveOrders.class), this.work);
			assertThat(this.calls.calls()).isEmpty();
			CompletableFuture<?> result = cold.collectList().toFuture();
			this.work.finish();
			assertThat(result).succeedsWithin(LIMIT).isEqualTo(List.of("done"));
			assertThat(this.calls.calls()).startsWith("UpdateItemRequest", "UpdateItemRequest");
		});
	}

	@ParameterizedTest
	@EnumSource
	void theLockIsHeldAndRenewedUntilTheEnd(ReactiveStyle style, EmbeddedDynamoDb dynamoDb) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			LockRow row = new LockRow(dynamoDb, context, "orders:1");
			CompletableFuture<?> freeWhenTold = style.fulfil(context.getBean(ReactiveOrders.class), this.work)
				.then(Mono.fromCallable(row::isFree))
				.toFuture();
			this.work.awaitSubscribed();
			this.calls.clear();
			await().until(() -> this.calls.calls().size() >= 2);
			assertThat(row.isFree()).isFalse();
			this.work.finish();
			assertThat(freeWhenTold).succeedsWithin(LIMIT).isEqualTo(true);
		});
	}

	@ParameterizedTest
	@EnumSource
	void anUncontendedSubscriptionCostsTwoWrites(ReactiveStyle style, EmbeddedDynamoDb dynamoDb) {
		ReactiveWork.node(dynamoDb, this.calls)
			.withPropertyValues("dynamodb-lock.lease-duration=60s", "dynamodb-lock.heartbeat-period=20s")
			.run((context) -> {
				this.work.finish();
				this.calls.clear();
				style.fulfil(context.getBean(ReactiveOrders.class), this.work).blockLast(LIMIT);
				assertThat(this.calls.calls()).containsExactly("UpdateItemRequest", "UpdateItemRequest");
			});
	}

	@Test
	void eachSubscriberHasALockOfItsOwn(EmbeddedDynamoDb dynamoDb) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			Mono<Long> token = context.getBean(ReactiveOrders.class).token();
			long first = Objects.requireNonNull(token.block(LIMIT));
			assertThat(token.block(LIMIT)).isGreaterThan(first);
		});
	}

	@ParameterizedTest
	@EnumSource
	void whoeverEndsThePublisherDoesNotWaitForTheRelease(ReactiveStyle style, EmbeddedDynamoDb dynamoDb) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			CompletableFuture<?> result = style.fulfil(context.getBean(ReactiveOrders.class), this.work)
				.then()
				.toFuture();
			this.work.awaitSubscribed();
			Set<Thread> threads = ConcurrentHashMap.newKeySet();
			this.calls.deny((request) -> {
				threads.add(Thread.currentThread());
				return false;
			});
			this.work.finish();
			assertThat(result).succeedsWithin(LIMIT);
			assertThat(threads).isNotEmpty().doesNotContain(Thread.currentThread());
		});
	}

	@ParameterizedTest
	@EnumSource
	void theBodysFailureIsTheSubscribersAfterTheRelease(ReactiveStyle style, EmbeddedDynamoDb dynamoDb) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			LockRow row = new LockRow(dynamoDb, context, "orders:1");
			IllegalArgumentException failure = new IllegalArgumentException("the body's");
			CompletableFuture<?> free = style.fulfil(context.getBean(ReactiveOrders.class), this.work)
				.then(Mono.just(false))
				.onErrorResume((ex) -> ex == failure, (ex) -> Mono.fromCallable(row::isFree))
				.toFuture();
			this.work.awaitSubscribed();
			this.work.fail(failure);
			assertThat(free).succeedsWithin(LIMIT).isEqualTo(true);
		});
	}

	@Test
	void aBodyThatThrowsOrReturnsNullFailsTheSubscriber(EmbeddedDynamoDb dynamoDb) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			ReactiveOrders orders = context.getBean(ReactiveOrders.class);
			assertThat(orders.throwing().toFuture()).failsWithin(LIMIT)
				.withThrowableThat()
				.withMessageContaining("the body's");
			assertThat(orders.nothing().toFuture()).failsWithin(LIMIT)
				.withThrowableThat()
				.withMessageContaining("ReactiveOrders.nothing() returned null");
			assertThat(new LockRow(dynamoDb, context, "orders:1").isFree()).isTrue();
		});
	}

	@ParameterizedTest
	@EnumSource
	void cancellingReleases(ReactiveStyle style, EmbeddedDynamoDb dynamoDb) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			Disposable subscriber = style.fulfil(context.getBean(ReactiveOrders.class), this.work).subscribe();
			this.work.awaitSubscribed();
			subscriber.dispose();
			this.work.awaitCancelled();
			await().until(new LockRow(dynamoDb, context, "orders:1")::isFree);
		});
	}

	@ParameterizedTest
	@EnumSource
	void cancellingWhileItWaitsGivesTheLockUp(ReactiveStyle style, EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = ReactiveWork.node(dynamoDb, this.calls);
		node.run((first) -> node.run((second) -> {
			CompletableFuture<?> holding = style.fulfil(first.getBean(ReactiveOrders.class), this.work)
				.then()
				.toFuture();
			this.work.awaitSubscribed();
			this.calls.clear();
			ReactiveOrders orders = second.getBean(ReactiveOrders.class);
			Disposable waiting = style.patiently(orders).subscribe();
			await().until(() -> this.calls.calls().size() >= 3);
			waiting.dispose();
			this.work.finish();
			assertThat(holding).succeedsWithin(LIMIT);
			LockRow row = new LockRow(dynamoDb, first, "orders:1");
			await().during(Duration.ofMillis(500)).until(row::isFree);
			assertThat(orders.bodies()).isZero();
		}));
	}

	@Test
	void aGrantThatMeetsACancellationIsReleased(EmbeddedDynamoDb dynamoDb) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			ReactiveOrders orders = context.getBean(ReactiveOrders.class);
			LockRow row = new LockRow(dynamoDb, context, "orders:1");
			int ran = 0;
			for (int i = 0; i < 40; i++) {
				this.calls.clear();
				Disposable subscriber = orders.patientMono().delaySubscription(Duration.ZERO).subscribe();
				int spins = i;
				await().pollInterval(Duration.ofMillis(1)).until(() -> !this.calls.calls().isEmpty());
				for (int spin = 0; spin < spins * 1000; spin++) {
					Thread.onSpinWait();
				}
				subscriber.dispose();
				// Only a lock under which the method ran is held at least so long.
				int before = ran;
				await().until(() -> row.isFree() || orders.patientCalls() > before);
				ran = orders.patientCalls();
				if (!row.isFree()) {
					LockClient client = context.getBean(LockClient.class);
					client.forceRelease(new LockKey("orders:1", null), client.ownerName());
				}
				await().until(row::isFree);
			}
		});
	}

	@Test
	void whatIsGrantedAsTheSubscriberLeavesIsGivenBackUnused(EmbeddedDynamoDb dynamoDb) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			ReactiveOrders orders = context.getBean(ReactiveOrders.class);
			LockRow row = new LockRow(dynamoDb, context, "orders:1");
			CompletableFuture<Void> left = new CompletableFuture<>();
			orders.patientMono().subscribe(new BaseSubscriber<>() {
				@Override
				public Context currentContext() {
					return new LeavingContext(() -> {
						cancel();
						await().until(row::isFree);
						left.complete(null);
					});
				}
			});
			assertThat(left).succeedsWithin(LIMIT);
			assertThat(orders.patientCalls()).isZero();
		});
	}

	@Test
	void valuesAreGivenOnWhileTheLockIsHeld(EmbeddedDynamoDb dynamoDb) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			LockRow row = new LockRow(dynamoDb, context, "orders:1");
			List<Boolean> free = context.getBean(ReactiveOrders.class)
				.values(Flux.just("a", "b"))
				.map((value) -> row.isFree())
				.collectList()
				.block(LIMIT);
			assertThat(free).containsExactly(false, false);
			assertThat(row.isFree()).isTrue();
		});
	}

	@Test
	void takingAFewValuesReleases(EmbeddedDynamoDb dynamoDb) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			assertThat(context.getBean(ReactiveOrders.class)
				.values(Flux.just("a", "b", "c"))
				.take(1)
				.collectList()
				.block(LIMIT)).containsExactly("a");
			await().until(new LockRow(dynamoDb, context, "orders:1")::isFree);
		});
	}

	@Test
	void aKeyThatIsNotUsableFailsTheSubscriber(EmbeddedDynamoDb dynamoDb) {
		ReactiveWork.node(dynamoDb, this.calls).run((context) -> {
			Mono<String> cold = context.getBean(ReactiveOrders.class).keyed("");
			assertThat(cold.toFuture()).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(IllegalArgumentException.class)
				.isNotInstanceOf(CancellationException.class);
		});
	}

}

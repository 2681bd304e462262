/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.OnLost;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.spring.support.LockRow;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith({ DynamoDbExtension.class, OutputCaptureExtension.class })
class ReactiveMethodTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final CallRecorder calls = new CallRecorder();

	private final Sinks.Many<String> work = Sinks.many().unicast().onBackpressureBuffer();

	@ParameterizedTest
	@EnumSource
	void nothingHappensBeforeThereIsASubscriber(Style style, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			this.calls.clear();
			Flux<String> cold = style.fulfil(context.getBean(Orders.class), this.work);
			assertThat(this.calls.calls()).isEmpty();
			CompletableFuture<List<String>> result = cold.collectList().toFuture();
			finish();
			assertThat(result).succeedsWithin(LIMIT).isEqualTo(List.of("done"));
			assertThat(this.calls.calls()).startsWith("UpdateItemRequest", "UpdateItemRequest");
		});
	}

	@ParameterizedTest
	@EnumSource
	void theLockIsHeldAndRenewedUntilTheEnd(Style style, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockRow row = new LockRow(dynamoDb, context, "orders:1");
			CompletableFuture<Boolean> freeWhenTold = style.fulfil(context.getBean(Orders.class), this.work)
				.then(Mono.fromCallable(row::isFree))
				.toFuture();
			awaitSubscribed();
			this.calls.clear();
			await().until(() -> this.calls.calls().size() >= 2);
			assertThat(row.isFree()).isFalse();
			finish();
			assertThat(freeWhenTold).succeedsWithin(LIMIT).isEqualTo(true);
		});
	}

	@ParameterizedTest
	@EnumSource
	void anUncontendedSubscriptionCostsTwoWrites(Style style, EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb, this.calls::attach).withBean(Orders.class).run((context) -> {
			finish();
			this.calls.clear();
			style.fulfil(context.getBean(Orders.class), this.work).blockLast(LIMIT);
			assertThat(this.calls.calls()).containsExactly("UpdateItemRequest", "UpdateItemRequest");
		});
	}

	@Test
	void eachSubscriberHasALockOfItsOwn(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Mono<Long> token = context.getBean(Orders.class).token();
			long first = token.block(LIMIT);
			assertThat(token.block(LIMIT)).isGreaterThan(first);
		});
	}

	@ParameterizedTest
	@EnumSource
	void whoeverEndsThePublisherDoesNotWaitForTheRelease(Style style, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			CompletableFuture<?> result = style.fulfil(context.getBean(Orders.class), this.work).then().toFuture();
			awaitSubscribed();
			Set<Thread> threads = ConcurrentHashMap.newKeySet();
			this.calls.deny((request) -> {
				threads.add(Thread.currentThread());
				return false;
			});
			finish();
			assertThat(result).succeedsWithin(LIMIT);
			assertThat(threads).isNotEmpty().doesNotContain(Thread.currentThread());
		});
	}

	@ParameterizedTest
	@EnumSource
	void theBodysFailureIsTheSubscribersAfterTheRelease(Style style, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockRow row = new LockRow(dynamoDb, context, "orders:1");
			IllegalArgumentException failure = new IllegalArgumentException("the body's");
			CompletableFuture<Boolean> free = style.fulfil(context.getBean(Orders.class), this.work)
				.then(Mono.just(false))
				.onErrorResume((ex) -> ex == failure, (ex) -> Mono.fromCallable(row::isFree))
				.toFuture();
			awaitSubscribed();
			this.work.tryEmitError(failure).orThrow();
			assertThat(free).succeedsWithin(LIMIT).isEqualTo(true);
		});
	}

	@Test
	void aBodyThatThrowsOrReturnsNullFailsTheSubscriber(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThat(orders.throwing().toFuture()).failsWithin(LIMIT)
				.withThrowableThat()
				.withMessageContaining("the body's");
			assertThat(orders.nothing().toFuture()).failsWithin(LIMIT)
				.withThrowableThat()
				.withMessageContaining("Orders.nothing() returned null");
			assertThat(new LockRow(dynamoDb, context, "orders:1").isFree()).isTrue();
		});
	}

	@ParameterizedTest
	@EnumSource
	void cancellingReleases(Style style, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Disposable subscriber = style.fulfil(context.getBean(Orders.class), this.work).subscribe();
			awaitSubscribed();
			subscriber.dispose();
			await().until(() -> this.work.currentSubscriberCount() == 0);
			await().until(new LockRow(dynamoDb, context, "orders:1")::isFree);
		});
	}

	@ParameterizedTest
	@EnumSource
	void cancellingWhileItWaitsGivesTheLockUp(Style style, EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node.run((second) -> {
			CompletableFuture<?> holding = style.fulfil(first.getBean(Orders.class), this.work).then().toFuture();
			awaitSubscribed();
			this.calls.clear();
			Orders orders = second.getBean(Orders.class);
			Disposable waiting = style.patiently(orders).subscribe();
			await().until(() -> this.calls.calls().size() >= 3);
			waiting.dispose();
			finish();
			assertThat(holding).succeedsWithin(LIMIT);
			LockRow row = new LockRow(dynamoDb, first, "orders:1");
			await().during(Duration.ofMillis(500)).until(row::isFree);
			assertThat(orders.bodies()).isZero();
		}));
	}

	@Test
	void aGrantThatMeetsACancellationIsReleased(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			LockRow row = new LockRow(dynamoDb, context, "orders:1");
			for (int i = 0; i < 40; i++) {
				this.calls.clear();
				Disposable subscriber = orders.patientMono().delaySubscription(Duration.ZERO).subscribe();
				int spins = i;
				await().pollInterval(Duration.ofMillis(1)).until(() -> !this.calls.calls().isEmpty());
				for (int spin = 0; spin < spins * 1000; spin++) {
					Thread.onSpinWait();
				}
				subscriber.dispose();
				await().until(row::isFree);
			}
		});
	}

	@ParameterizedTest
	@EnumSource
	void whileTheLockIsBusyTheSubscriberIsToldWhoHoldsIt(Style style, EmbeddedDynamoDb dynamoDb) {
		busy(dynamoDb,
				(orders, holder) -> assertThat(style.fulfil(orders, this.work).then().toFuture()).failsWithin(LIMIT)
					.withThrowableThat()
					.havingCause()
					.isInstanceOf(LockNotGrantedException.class)
					.withMessageContaining(holder));
	}

	@ParameterizedTest
	@EnumSource
	void whileTheLockIsBusyASkippedCallIsEmpty(Style style, EmbeddedDynamoDb dynamoDb) {
		busy(dynamoDb, (orders, holder) -> {
			assertThat(style.skip(orders).collectList().toFuture()).succeedsWithin(LIMIT).isEqualTo(List.of());
			assertThat(orders.bodies()).isZero();
		});
	}

	@ParameterizedTest
	@EnumSource
	void whileTheLockIsBusyTheFallbackAnswers(Style style, EmbeddedDynamoDb dynamoDb) {
		busy(dynamoDb,
				(orders, holder) -> assertThat(style.orElse(orders).collectList().toFuture()).succeedsWithin(LIMIT)
					.isEqualTo(List.of("instead of argument")));
	}

	@Test
	void aRefusalOfAnotherLockInTheBodyIsNotAnsweredByTheFallback(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockNotGrantedException other = LockNotGrantedException.noItem(LockKey.of("other"));
			assertThat(context.getBean(Orders.class).failing(other).toFuture()).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.isSameAs(other);
		});
	}

	@Test
	void aStoreThatDoesNotAnswerIsNotBusy(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			this.calls.deny(UpdateItemRequest.class::isInstance);
			assertThat(context.getBean(Orders.class).skipMono().toFuture()).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LockStoreException.class);
			this.calls.deny((request) -> false);
		});
	}

	@ParameterizedTest
	@EnumSource
	void aFailingReleaseDoesNotReplaceTheResult(Style style, EmbeddedDynamoDb dynamoDb, CapturedOutput output) {
		node(dynamoDb).run((context) -> {
			CompletableFuture<List<String>> result = style.fulfil(context.getBean(Orders.class), this.work)
				.collectList()
				.toFuture();
			awaitSubscribed();
			this.calls.deny(UpdateItemRequest.class::isInstance);
			finish();
			assertThat(result).succeedsWithin(LIMIT).isEqualTo(List.of("done"));
			assertThat(output).contains("Lock 'orders:1' could not be released after");
			this.calls.deny((request) -> false);
		});
	}

	@ParameterizedTest
	@EnumSource
	void theResultIsKeptWhenTheLockIsLost(Style style, EmbeddedDynamoDb dynamoDb, CapturedOutput output) {
		node(dynamoDb).run((context) -> {
			CompletableFuture<List<String>> result = style.fulfil(context.getBean(Orders.class), this.work)
				.collectList()
				.toFuture();
			awaitSubscribed();
			new LockRow(dynamoDb, context, "orders:1").steal();
			finish();
			assertThat(result).succeedsWithin(LIMIT).isEqualTo(List.of("done"));
			assertThat(output).containsPattern("ERROR .*Lock 'orders:1' .* was lost while .* ran: STOLEN");
		});
	}

	@ParameterizedTest
	@EnumSource
	void aLossCancelsTheBodyIfWanted(Style style, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			CompletableFuture<?> result = style.strictly(context.getBean(Orders.class), this.work).then().toFuture();
			awaitSubscribed();
			new LockRow(dynamoDb, context, "orders:1").steal();
			assertThat(result).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LockLostException.class);
			await().until(() -> this.work.currentSubscriberCount() == 0);
		});
	}

	@ParameterizedTest
	@EnumSource
	void anEndThatComesWithALossIsNotGivenIfSoWanted(Style style, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			CompletableFuture<?> result = style.strictly(context.getBean(Orders.class), this.work).then().toFuture();
			awaitSubscribed();
			new LockRow(dynamoDb, context, "orders:1").steal();
			finish();
			assertThat(result).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LockLostException.class);
		});
	}

	@Test
	void aFailureThatComesWithALossGoesWithIt(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			IllegalArgumentException failure = new IllegalArgumentException("the body's");
			CompletableFuture<?> result = Style.MONO.strictly(context.getBean(Orders.class), this.work)
				.then()
				.toFuture();
			awaitSubscribed();
			new LockRow(dynamoDb, context, "orders:1").steal();
			this.work.tryEmitError(failure).orThrow();
			assertThat(result).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LockLostException.class)
				.satisfies((lost) -> assertThat(lost.getSuppressed()).contains(failure));
		});
	}

	@Test
	void valuesAreGivenOnWhileTheLockIsHeld(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockRow row = new LockRow(dynamoDb, context, "orders:1");
			List<Boolean> free = context.getBean(Orders.class)
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
		node(dynamoDb).run((context) -> {
			assertThat(
					context.getBean(Orders.class).values(Flux.just("a", "b", "c")).take(1).collectList().block(LIMIT))
				.containsExactly("a");
			await().until(new LockRow(dynamoDb, context, "orders:1")::isFree);
		});
	}

	@Test
	void aKeyThatIsNotUsableFailsTheSubscriber(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Mono<String> cold = context.getBean(Orders.class).keyed("");
			assertThat(cold.toFuture()).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(IllegalArgumentException.class)
				.isNotInstanceOf(CancellationException.class);
		});
	}

	private void busy(EmbeddedDynamoDb dynamoDb, BiConsumer<Orders, String> check) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node.run((second) -> {
			CompletableFuture<?> holding = first.getBean(Orders.class).values(this.work.asFlux()).then().toFuture();
			awaitSubscribed();
			check.accept(second.getBean(Orders.class), first.getBean(LockClient.class).ownerName());
			finish();
			assertThat(holding).succeedsWithin(LIMIT);
		}));
	}

	private void awaitSubscribed() {
		await().until(() -> this.work.currentSubscriberCount() == 1);
	}

	private void finish() {
		this.work.tryEmitNext("done").orThrow();
		this.work.tryEmitComplete().orThrow();
	}

	private ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb, this.calls::attach)
			.withPropertyValues("dynamodb-lock.lease-duration=2s", "dynamodb-lock.heartbeat-period=400ms")
			.withBean(Orders.class);
	}

	enum Style {

		MONO {
			@Override
			Flux<String> fulfil(Orders orders, Sinks.Many<String> work) {
				return orders.value(work.asFlux().last()).flux();
			}

			@Override
			Flux<String> strictly(Orders orders, Sinks.Many<String> work) {
				return orders.strictValue(work.asFlux().last()).flux();
			}

			@Override
			Flux<String> patiently(Orders orders) {
				return orders.patientMono().flux();
			}

			@Override
			Flux<String> skip(Orders orders) {
				return orders.skipMono().flux();
			}

			@Override
			Flux<String> orElse(Orders orders) {
				return orders.monoOrElse("argument").flux();
			}
		},

		FLUX {
			@Override
			Flux<String> fulfil(Orders orders, Sinks.Many<String> work) {
				return orders.values(work.asFlux());
			}

			@Override
			Flux<String> strictly(Orders orders, Sinks.Many<String> work) {
				return orders.strictValues(work.asFlux());
			}

			@Override
			Flux<String> patiently(Orders orders) {
				return orders.patientFlux();
			}

			@Override
			Flux<String> skip(Orders orders) {
				return orders.skipFlux();
			}

			@Override
			Flux<String> orElse(Orders orders) {
				return orders.fluxOrElse("argument");
			}
		};

		abstract Flux<String> fulfil(Orders orders, Sinks.Many<String> work);

		abstract Flux<String> strictly(Orders orders, Sinks.Many<String> work);

		abstract Flux<String> patiently(Orders orders);

		abstract Flux<String> skip(Orders orders);

		abstract Flux<String> orElse(Orders orders);

	}

	static class Orders {

		private final AtomicInteger bodies = new AtomicInteger();

		int bodies() {
			return this.bodies.get();
		}

		@DistributedLock(name = "orders", key = "1", waitTime = "0s")
		Mono<String> value(Mono<String> work) {
			return work;
		}

		@DistributedLock(name = "orders", key = "1", waitTime = "0s")
		Flux<String> values(Flux<String> work) {
			return work;
		}

		@DistributedLock(name = "orders", key = "1", waitTime = "0s", onLost = OnLost.INTERRUPT)
		Mono<String> strictValue(Mono<String> work) {
			return work;
		}

		@DistributedLock(name = "orders", key = "1", waitTime = "0s", onLost = OnLost.INTERRUPT)
		Flux<String> strictValues(Flux<String> work) {
			return work;
		}

		@DistributedLock(name = "orders", key = "1", waitTime = "1m", holdAtLeast = "1m")
		Mono<String> patientMono() {
			return Mono.fromCallable(this::ran);
		}

		@DistributedLock(name = "orders", key = "1", waitTime = "1m")
		Flux<String> patientFlux() {
			return Mono.fromCallable(this::ran).flux();
		}

		@DistributedLock(name = "orders", key = "1", onBusy = OnBusy.SKIP)
		Mono<String> skipMono() {
			return Mono.fromCallable(this::ran);
		}

		@DistributedLock(name = "orders", key = "1", onBusy = OnBusy.SKIP)
		Flux<String> skipFlux() {
			return Mono.fromCallable(this::ran).flux();
		}

		@DistributedLock(name = "orders", key = "1", waitTime = "0s", onBusy = OnBusy.FALLBACK,
				fallback = "insteadMono")
		Mono<String> monoOrElse(String argument) {
			return Mono.fromCallable(this::ran);
		}

		private Mono<String> insteadMono(String argument, LockNotGrantedException refusal) {
			assertThat(LockContext.current()).isEmpty();
			return Mono.just("instead of " + argument);
		}

		@DistributedLock(name = "orders", key = "1", waitTime = "0s", onBusy = OnBusy.FALLBACK,
				fallback = "insteadFlux")
		Flux<String> fluxOrElse(String argument) {
			return Mono.fromCallable(this::ran).flux();
		}

		private Flux<String> insteadFlux(String argument) {
			return Flux.fromStream(Stream.of("instead of " + argument));
		}

		@DistributedLock(name = "orders", key = "1", onBusy = OnBusy.FALLBACK, fallback = "neverAsked")
		Mono<String> failing(RuntimeException failure) {
			return Mono.error(failure);
		}

		private Mono<String> neverAsked(RuntimeException failure) {
			throw new AssertionError("the fallback was asked", failure);
		}

		@DistributedLock(name = "orders", key = "1")
		Mono<Long> token() {
			return Mono.just(LockContext.current().orElseThrow().fencingToken());
		}

		@DistributedLock(name = "orders", key = "1")
		Mono<String> throwing() {
			throw new IllegalArgumentException("the body's");
		}

		@SuppressWarnings("NullAway") // what careless bodies do
		@DistributedLock(name = "orders", key = "1")
		Mono<String> nothing() {
			return null;
		}

		@DistributedLock(name = "orders", key = "#p0")
		Mono<String> keyed(String key) {
			return Mono.just(key);
		}

		private String ran() {
			this.bodies.incrementAndGet();
			return "ran";
		}

	}

}

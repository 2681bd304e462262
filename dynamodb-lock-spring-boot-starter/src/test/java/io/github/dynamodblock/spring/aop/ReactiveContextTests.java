/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.ReactiveLockContext;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.spring.support.LockRow;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class ReactiveContextTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final CallRecorder calls = new CallRecorder();

	@Test
	void aNestedCallJoinsInWhateverThread(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			Mono<List<Long>> tokens = orders.reactive(() -> token().flatMap((outer) -> {
				this.calls.clear();
				return orders.reactive(() -> token())
					.subscribeOn(Schedulers.parallel())
					.flatMap((nested) -> orders.reactiveFlux(() -> token().flux())
						.next()
						.map((third) -> List.of(outer, nested, third)))
					.doOnNext((all) -> assertThat(this.calls.calls()).isEmpty());
			}));
			assertThat(tokens.block(LIMIT)).hasSize(3).satisfies((all) -> assertThat(Set.copyOf(all)).hasSize(1));
			assertThat(new LockRow(dynamoDb, context, "orders:1").isFree()).isTrue();
		});
	}

	@Test
	void theLocksAreThoseOfTheChainAndNotOfItsSubscriber(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThat(ReactiveLockContext.current().blockOptional(LIMIT)).isEmpty();
			assertThat(ReactiveLockContext.currentLocks().block(LIMIT)).isEmpty();
			List<Boolean> seen = orders
				.reactiveFlux(() -> Flux.just(1).flatMap((value) -> ReactiveLockContext.current().hasElement()))
				.flatMap((inside) -> ReactiveLockContext.current().hasElement().map((after) -> List.of(inside, after)))
				.blockFirst(LIMIT);
			assertThat(seen).containsExactly(true, false);
		});
	}

	@Test
	void whatTheMethodDoesBeforeItReturnsJoinsByItsThread(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			List<Long> tokens = orders.reactive(() -> {
				this.calls.clear();
				long outer = LockContext.current().orElseThrow().fencingToken();
				long nested = orders.blocking(() -> LockContext.current().orElseThrow().fencingToken());
				assertThat(this.calls.calls()).isEmpty();
				return Mono.just(List.of(outer, nested));
			}).block(LIMIT);
			assertThat(tokens).hasSize(2).satisfies((all) -> assertThat(all.get(1)).isEqualTo(all.get(0)));
		});
	}

	@Test
	void aPublisherSubscribedUnderAThreadsLockJoinsIt(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.blocking(() -> {
				this.calls.clear();
				long own = LockContext.current().orElseThrow().fencingToken();
				assertThat(orders.reactive(() -> token()).block(LIMIT)).isEqualTo(own);
				assertThat(this.calls.calls()).isEmpty();
				return own;
			});
		});
	}

	@Test
	void aPublisherThatOutlivesTheLockItJoinedIsReported(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			Sinks.One<String> work = Sinks.one();
			CompletableFuture<String> result = orders.blocking(() -> orders.reactive(work::asMono).toFuture());
			work.tryEmitValue("done").orThrow();
			assertThat(result).succeedsWithin(LIMIT).isEqualTo("done");
			await().untilAsserted(() -> assertThat(log)
				.containsPattern("WARN .*Orders.reactive\\(Supplier\\) continued after lock 'orders:1'"));
		});
	}

	@Test
	void aPublisherSubscribedAfterTheCallThatMadeItTakesALockOfItsOwn(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			Mono<Long> cold = orders.blocking(() -> orders.reactive(() -> token()));
			this.calls.clear();
			assertThat(cold.block(LIMIT)).isPositive();
			assertThat(this.calls.calls()).containsExactly("UpdateItemRequest", "UpdateItemRequest");
		});
	}

	@Test
	void aNestedCallDoesNotRunUnderALockThatWasLost(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.lease-duration=10s", "dynamodb-lock.heartbeat-period=400ms")
			.run((context) -> {
				Orders orders = context.getBean(Orders.class);
				Mono<String> result = orders.reactive(() -> {
					HeldLock lock = LockContext.current().orElseThrow();
					new LockRow(dynamoDb, context, "orders:1").steal();
					await().pollInSameThread().until(() -> !lock.isHeld());
					return orders.reactive(() -> Mono.just("ran"));
				});
				assertThat(result.toFuture()).failsWithin(LIMIT)
					.withThrowableThat()
					.havingCause()
					.isInstanceOf(LockLostException.class);
			});
	}

	@Test
	void contextPropagationLeadsToTheLock(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			// These operators restore what the library captures, also without Reactor's
			// hook.
			Boolean inside = orders
				.reactive(() -> Mono.just("x")
					.publishOn(Schedulers.parallel())
					.<Boolean>handle((value, sink) -> sink.next(LockContext.current().isPresent())))
				.block(LIMIT);
			assertThat(inside).isTrue();
			orders.blocking(() -> {
				Boolean captured = Mono.just("x")
					.publishOn(Schedulers.parallel())
					.<Boolean>handle((value, sink) -> sink.next(LockContext.current().isPresent()))
					.contextCapture()
					.block(LIMIT);
				return assertThat(captured).isTrue();
			});
		});
	}

	@Test
	void aspectsInsideOfTheLockSeeTheCall(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withBean(Watching.class).run((context) -> {
			Mono<String> result = context.getBean(Orders.class).reactive(() -> Mono.just("done"));
			assertThat(result.block(LIMIT)).isEqualTo("done");
			assertThat(result.block(LIMIT)).isEqualTo("done");
			assertThat(context.getBean(Watching.class).seen).containsExactly("reactive:true", "reactive:true");
		});
	}

	private static Mono<Long> token() {
		return ReactiveLockContext.current().map(HeldLock::fencingToken);
	}

	private ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb, this.calls::attach)
			.withPropertyValues("dynamodb-lock.lease-duration=60s")
			.withBean(Orders.class);
	}

	static class Orders {

		@DistributedLock(name = "orders", key = "1", waitTime = "0s")
		<T> T blocking(Supplier<T> body) {
			return body.get();
		}

		@DistributedLock(name = "orders", key = "1", waitTime = "0s")
		<T> Mono<T> reactive(Supplier<Mono<T>> body) {
			return body.get();
		}

		@DistributedLock(name = "orders", key = "1", waitTime = "0s")
		<T> Flux<T> reactiveFlux(Supplier<Flux<T>> body) {
			return body.get();
		}

	}

	@Aspect
	static class Watching {

		final List<String> seen = new CopyOnWriteArrayList<>();

		@Before("execution(* io.github.dynamodblock.spring.aop.ReactiveContextTests.Orders.reactive(..))")
		void before(JoinPoint call) {
			this.seen.add(call.getSignature().getName() + ":" + LockContext.current().isPresent());
		}

	}

}

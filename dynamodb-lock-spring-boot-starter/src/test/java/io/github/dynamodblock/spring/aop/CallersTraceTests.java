/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.boot.autoconfigure.LockClientBuilderCustomizer;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.spring.support.TracedCalls;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.micrometer.observation.Observation;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.task.VirtualThreadTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every call to DynamoDB, acquire and release, is part of its caller's trace, whatever
 * thread makes it.
 */
@ExtendWith(DynamoDbExtension.class)
class CallersTraceTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	/** Tests themselves may run on workers of a {@code ForkJoinPool}. */
	private static final Executor PLAIN_THREAD = (task) -> new Thread(task).start();

	private final TracedCalls calls = new TracedCalls();

	@Test
	void theCallsOfABlockingMethodAreInItsCallersTrace(EmbeddedDynamoDb dynamoDb) {
		assertTraced(dynamoDb, PLAIN_THREAD, (orders) -> orders.value(() -> "done"));
	}

	@Test
	void theCallsOfAFutureAreInItsCallersTrace(EmbeddedDynamoDb dynamoDb) {
		assertTraced(dynamoDb, PLAIN_THREAD, (orders) -> orders.future().join());
	}

	@Test
	void theCallsOfAWorkerOfAForkJoinPoolAreInItsTrace(EmbeddedDynamoDb dynamoDb) {
		assertTraced(dynamoDb, new ForkJoinPool(1), (orders) -> orders.value(() -> "done"));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void theCallsOfAVirtualThreadAreInItsTrace(EmbeddedDynamoDb dynamoDb) {
		assertTraced(dynamoDb, new VirtualThreadTaskExecutor("caller-"), (orders) -> orders.value(() -> "done"));
	}

	@Test
	void theCallsOfAMonoAreInItsSubscribersTrace(EmbeddedDynamoDb dynamoDb) {
		assertTraced(dynamoDb, Orders::mono);
	}

	@Test
	void theCallsOfAFluxAreInItsSubscribersTrace(EmbeddedDynamoDb dynamoDb) {
		assertTraced(dynamoDb, Orders::flux);
	}

	@Test
	void aCustomizerReplacesWhatRestoresTheContext(EmbeddedDynamoDb dynamoDb) {
		LockClientBuilderCustomizer customizer = (builder) -> builder.callersContext((threads) -> threads);
		node(dynamoDb).withBean(LockClientBuilderCustomizer.class, () -> customizer).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			inTrace(new ForkJoinPool(1), () -> orders.value(() -> "done"));
			assertThat(this.calls.traces()).containsExactly("none", "none");
		});
	}

	@Test
	void theLocksOfACallerStayItsOwnWhereItsContextIsRestored(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			inTrace(new ForkJoinPool(1), () -> orders.value(() -> {
				HeldLock own = LockContext.current().orElseThrow();
				assertThat(orders.future().join()).isEqualTo("done");
				assertThat(orders.value(() -> "joined")).isEqualTo("joined");
				assertThat(LockContext.current()).containsSame(own);
				assertThat(own.isHeld()).isTrue();
				return "done";
			}));
			assertThat(this.calls.traces()).containsExactly("checkout", "checkout", "checkout", "checkout");
		});
	}

	private void assertTraced(EmbeddedDynamoDb dynamoDb, Executor caller, Call call) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			inTrace(caller, () -> call.on(orders));
			assertThat(this.calls.traces()).containsExactly("checkout", "checkout");
		});
	}

	private void assertTraced(EmbeddedDynamoDb dynamoDb, ReactiveCall call) {
		node(dynamoDb).run((context) -> {
			Observation checkout = this.calls.begin("checkout");
			assertThat(Flux.from(call.on(context.getBean(Orders.class)))
				.subscribeOn(Schedulers.parallel())
				.contextWrite((subscriber) -> subscriber.put(ObservationThreadLocalAccessor.KEY, checkout))
				.collectList()
				.block(LIMIT)).containsExactly("done");
			checkout.stop();
			assertThat(this.calls.traces()).containsExactly("checkout", "checkout");
		});
	}

	private void inTrace(Executor caller, Callable<String> call) {
		Observation checkout = this.calls.begin("checkout");
		CompletableFuture<String> result = new CompletableFuture<>();
		caller.execute(() -> {
			try {
				result.complete(checkout.observeChecked(call::call));
			}
			catch (Throwable ex) {
				result.completeExceptionally(ex);
			}
		});
		assertThat(result).succeedsWithin(LIMIT).isEqualTo("done");
	}

	private ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		// No heartbeat comes among the calls.
		return LockNode.of(dynamoDb, this.calls::attach)
			.withPropertyValues("dynamodb-lock.lease-duration=60s")
			.withBean(Orders.class);
	}

	@FunctionalInterface
	private interface Call {

		String on(Orders orders);

	}

	@FunctionalInterface
	private interface ReactiveCall {

		Publisher<String> on(Orders orders);

	}

	static class Orders {

		@DistributedLock(name = "orders", key = "1")
		<T> T value(Supplier<T> body) {
			return body.get();
		}

		/** Ends on a thread without a trace. */
		@DistributedLock(name = "orders", key = "2")
		CompletableFuture<String> future() {
			return new CompletableFuture<String>().completeOnTimeout("done", 50, TimeUnit.MILLISECONDS);
		}

		@DistributedLock(name = "orders", key = "3")
		Mono<String> mono() {
			return Mono.delay(Duration.ofMillis(50)).map((any) -> "done");
		}

		@DistributedLock(name = "orders", key = "4")
		Flux<String> flux() {
			return Flux.just("done").delayElements(Duration.ofMillis(50));
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.micrometer.context.ContextSnapshotFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(DynamoDbExtension.class)
class PropagatedContextTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final CallRecorder calls = new CallRecorder();

	@Test
	void aTaskInAnotherThreadSeesTheLockAndDoesNotJoinIt(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			HeldLock lock = orders.blocking(() -> {
				HeldLock own = LockContext.current().orElseThrow();
				run(executor(), () -> {
					assertThat(LockContext.current()).containsSame(own);
					assertRefused(() -> orders.blocking(() -> "ran"));
					assertRefused(() -> orders.reactive(() -> Mono.just("ran")).block(LIMIT));
					return "done";
				});
				return own;
			});
			// It was not taken for the task's own, and given back with it.
			assertThat(lock.lossReason()).isEmpty();
		});
	}

	@Test
	void aFutureInAnotherThreadDoesNotJoinEither(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.blocking(() -> run(executor(), () -> {
				assertThat(orders.future(() -> CompletableFuture.completedFuture("ran"))).failsWithin(LIMIT)
					.withThrowableThat()
					.havingCause()
					.isInstanceOf(LockNotGrantedException.class);
				return "done";
			}));
		});
	}

	@Test
	void whatATaskTakesItselfItsOwnNestedCallsJoin(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThat(orders.blocking(() -> run(executor(), () -> orders.other(() -> orders.other(() -> {
				assertRefused(() -> orders.blocking(() -> "ran"));
				return "joined";
			}))))).isEqualTo("joined");
		});
	}

	@Test
	void aTaskThatRunsInTheCallersThreadJoins(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.blocking(() -> {
				this.calls.clear();
				Executor inline = (task) -> new ContextPropagatingTaskDecorator().decorate(task).run();
				run(inline, () -> orders.blocking(() -> "joined"));
				assertThat(orders.blocking(() -> "joined")).isEqualTo("joined");
				assertThat(this.calls.calls()).isEmpty();
				return "done";
			});
		});
	}

	@Test
	void whatAThreadHoldsIsItsOwnAgainAfterATaskOfAnother(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			Runnable foreign = orders.other(() -> ContextSnapshotFactory.builder().build().captureAll().wrap(() -> {
			}));
			orders.blocking(() -> {
				foreign.run();
				this.calls.clear();
				assertThat(orders.blocking(() -> "joined")).isEqualTo("joined");
				assertThat(this.calls.calls()).isEmpty();
				return "done";
			});
		});
	}

	@Test
	void aPublisherJoinsTheLocksThatWereCapturedIntoItsContext(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThat(orders.blocking(() -> orders.reactive(() -> Mono.just("joined")).contextCapture().block(LIMIT)))
				.isEqualTo("joined");
		});
	}

	private static void assertRefused(Supplier<?> call) {
		assertThatExceptionOfType(LockNotGrantedException.class).isThrownBy(call::get);
	}

	private static <T> T run(Executor executor, Supplier<T> task) {
		CompletableFuture<T> result = CompletableFuture.supplyAsync(task, executor);
		assertThat(result).succeedsWithin(LIMIT);
		return result.join();
	}

	private static SimpleAsyncTaskExecutor executor() {
		SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor();
		executor.setTaskDecorator(new ContextPropagatingTaskDecorator());
		return executor;
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

		@DistributedLock(name = "orders", key = "2", waitTime = "0s")
		<T> T other(Supplier<T> body) {
			return body.get();
		}

		@DistributedLock(name = "orders", key = "1", waitTime = "0s")
		CompletableFuture<String> future(Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

		@DistributedLock(name = "orders", key = "1", waitTime = "0s")
		<T> Mono<T> reactive(Supplier<Mono<T>> body) {
			return body.get();
		}

	}

}

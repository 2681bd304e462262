/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.OnLost;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.spring.support.LockRow;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Code that depends on the future of a locked method may block, such as for another lock.
 */
@ExtendWith(DynamoDbExtension.class)
class DependentStagesTests {

	private static final Duration LIMIT = Duration.ofMinutes(1);

	private static final int MANY = 40;

	private final CompletableFuture<String> work = new CompletableFuture<>();

	@Test
	void dependentsThatWaitForAnotherLockedCallDoNotDelayItsRelease(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			CompletableFuture<Void> all = all(orders,
					(outer) -> outer.thenApply((order) -> orders.ship(order, done(order)).join()));
			assertThat(all).succeedsWithin(LIMIT);
			for (int i = 0; i < MANY; i++) {
				assertThat(new LockRow(dynamoDb, context, "orders:" + i).isFree()).isTrue();
			}
		});
	}

	@Test
	void dependentsThatWaitForOneLockDoNotDelayTheReleasesOfItsHolders(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			CompletableFuture<Void> all = all(orders,
					(outer) -> outer.thenCompose((order) -> orders.print(done(order))));
			assertThat(all).succeedsWithin(LIMIT);
		});
	}

	@Test
	void dependentsOfALossDoNotDelayReleases(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.heartbeat-period=500ms").run((context) -> {
			Orders orders = context.getBean(Orders.class);
			CompletableFuture<Thread> told = orders.strictly(this.work).handle((order, failure) -> {
				assertThat(failure).isInstanceOf(LockLostException.class);
				return Thread.currentThread();
			});
			CompletableFuture<Thread> cancelled = this.work.handle((order, failure) -> Thread.currentThread());
			new LockRow(dynamoDb, context, "strict").steal();
			assertThat(told).succeedsWithin(LIMIT).matches(DependentStagesTests::isOfBodies);
			assertThat(cancelled).succeedsWithin(LIMIT).matches(DependentStagesTests::isOfBodies);
		});
	}

	@Test
	void dependentsMayWaitForTheThreadThatCompletedTheMethodsFuture(EmbeddedDynamoDb dynamoDb) {
		ExecutorService single = Executors.newSingleThreadExecutor();
		try {
			node(dynamoDb).run((context) -> {
				Orders orders = context.getBean(Orders.class);
				CompletableFuture<String> shipped = orders.fulfil("1", this.work)
					.thenApply((order) -> orders
						.ship(order, CompletableFuture.supplyAsync(() -> order + " shipped", single))
						.join());
				single.execute(() -> this.work.complete("1"));
				assertThat(shipped).succeedsWithin(LIMIT).isEqualTo("1 shipped");
			});
		}
		finally {
			single.shutdownNow();
		}
	}

	/** Calls many methods whose work ends at one moment, and adds to their futures. */
	private CompletableFuture<Void> all(Orders orders,
			Function<CompletableFuture<String>, CompletableFuture<String>> dependent) {
		List<CompletableFuture<String>> calls = IntStream.range(0, MANY)
			.mapToObj(Integer::toString)
			.map((id) -> dependent.apply(orders.fulfil(id, this.work.thenApply((same) -> id))))
			.toList();
		this.work.complete("done");
		return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new));
	}

	private static boolean isOfBodies(Thread thread) {
		return thread.getName().equals("dynamodb-lock-body");
	}

	private static CompletableFuture<String> done(String order) {
		return CompletableFuture.completedFuture(order);
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb).withPropertyValues("dynamodb-lock.lease-duration=1m").withBean(Orders.class);
	}

	static class Orders {

		@DistributedLock(name = "orders", key = "#id")
		CompletableFuture<String> fulfil(String id, CompletableFuture<String> work) {
			return work;
		}

		@DistributedLock(name = "shipments", key = "#id")
		CompletableFuture<String> ship(String id, CompletableFuture<String> work) {
			return work;
		}

		@DistributedLock(name = "printer", waitTime = "5m")
		CompletableFuture<String> print(CompletableFuture<String> work) {
			return work;
		}

		@DistributedLock(name = "strict", onLost = OnLost.INTERRUPT)
		CompletableFuture<String> strictly(CompletableFuture<String> work) {
			return work;
		}

	}

}

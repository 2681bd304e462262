/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bodies of publishers that wait for other locked calls, more of them than Reactor has
 * threads.
 */
@ExtendWith(DynamoDbExtension.class)
class BlockingBodiesTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final int CALLS = Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE + 1;

	@Test
	void bodiesThatWaitForNestedPublishersDoNotKeepTheirLocksFromThem(EmbeddedDynamoDb dynamoDb) {
		allFinish(dynamoDb, (orders, call) -> orders.outer(call, () -> orders.inner(call)));
	}

	@Test
	void subscribersThatWaitWhenTheyAreToldDoNotKeepLocksFromOthers(EmbeddedDynamoDb dynamoDb) {
		allFinish(dynamoDb, (orders, call) -> orders.inner(call)
			.map((result) -> result + " " + Objects.requireNonNull(orders.inner("next " + call).block(LIMIT))));
	}

	private static void allFinish(EmbeddedDynamoDb dynamoDb, Call body) {
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.lease-duration=60s")
			.withBean(Orders.class)
			.run((context) -> {
				Orders orders = context.getBean(Orders.class);
				List<CompletableFuture<String>> results = IntStream.range(0, CALLS)
					.mapToObj((each) -> body.begin(orders, "call " + each).toFuture())
					.toList();
				CompletableFuture<Void> all = CompletableFuture.allOf(results.toArray(CompletableFuture<?>[]::new));
				assertThat(all).succeedsWithin(LIMIT);
			});
	}

	@FunctionalInterface
	interface Call {

		Mono<String> begin(Orders orders, String call);

	}

	@FunctionalInterface
	interface Nested {

		Mono<String> begin();

	}

	static class Orders {

		@DistributedLock(name = "outer", key = "#p0")
		Mono<String> outer(String call, Nested nested) {
			return Mono.fromCallable(() -> Objects.requireNonNull(nested.begin().block(LIMIT)));
		}

		@DistributedLock(name = "inner", key = "#p0")
		Mono<String> inner(String call) {
			return Mono.just(call);
		}

	}

}

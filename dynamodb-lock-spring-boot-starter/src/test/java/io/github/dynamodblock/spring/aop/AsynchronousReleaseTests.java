/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.OnLost;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.core.exception.SdkClientException;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class AsynchronousReleaseTests {

	private static final Duration LIMIT = Duration.ofMinutes(2);

	/** Of each kind: more than any pool of ours had threads. */
	private static final int CALLS = 36;

	private final CallRecorder calls = new CallRecorder();

	private final CompletableFuture<String> work = new CompletableFuture<>();

	private final Queue<HeldLock> locks = new ConcurrentLinkedQueue<>();

	@Test
	void callsThatEndAsAnOutageBeginsWaitBehindNoOtherCallAndKeepTheirResults(EmbeddedDynamoDb dynamoDb,
			CapturedLog log) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			Queue<Long> ends = new ConcurrentLinkedQueue<>();
			List<CompletableFuture<String>> results = IntStream.range(0, CALLS)
				.mapToObj((call) -> Stream.of(orders.future(call, this::begin),
						orders.mono(call, this::begin).toFuture()))
				.flatMap((both) -> both)
				.map((result) -> result.whenComplete((value, failure) -> ends.add(System.nanoTime())))
				.toList();
			await().atMost(LIMIT).until(() -> this.locks.size() == 2 * CALLS);
			this.calls.deny((request) -> {
				throw SdkClientException.create("refused by the test", new ConnectException("Connection refused"));
			});
			long begin = System.nanoTime();
			this.work.complete("done");
			// A lock whose release has begun cannot be lost.
			await().until(() -> this.locks.stream().noneMatch(HeldLock::isHeld));
			assertThat(results).allSatisfy((result) -> assertThat(result).succeedsWithin(LIMIT).isEqualTo("done"));
			long first = ends.stream().mapToLong((end) -> end - begin).min().orElseThrow();
			long last = ends.stream().mapToLong((end) -> end - begin).max().orElseThrow();
			// In turns, the last ones would take at least twice as long.
			assertThat(last).isLessThan(first + first / 2);
			assertThat(log).doesNotContainPattern("Lock .(futures|monos):.* was lost");
			this.calls.deny((request) -> false);
		});
	}

	private ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb, this.calls::attach)
			.withPropertyValues("dynamodb-lock.lease-duration=5m")
			.withBean(Orders.class);
	}

	private CompletableFuture<String> begin() {
		this.locks.add(LockContext.current().orElseThrow());
		return this.work.copy();
	}

	static class Orders {

		@DistributedLock(name = "futures", key = "#p0", onLost = OnLost.INTERRUPT)
		CompletableFuture<String> future(int call, Supplier<CompletableFuture<String>> work) {
			return work.get();
		}

		@DistributedLock(name = "monos", key = "#p0", onLost = OnLost.INTERRUPT)
		Mono<String> mono(int call, Supplier<CompletableFuture<String>> work) {
			return Mono.fromFuture(work.get(), true);
		}

	}

}

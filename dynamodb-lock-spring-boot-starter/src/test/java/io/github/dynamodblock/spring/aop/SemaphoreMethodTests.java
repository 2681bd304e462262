/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Methods that a limited number of calls may run at the same time.
 */
@ExtendWith(DynamoDbExtension.class)
class SemaphoreMethodTests {

	private final CallRecorder calls = new CallRecorder();

	@Test
	void asManyCallsAsPermittedRunAtOnceOnAllNodes(EmbeddedDynamoDb dynamoDb) {
		nodes(dynamoDb, (one, two) -> {
			Set<LockKey> keys = one.limited(() -> two.limited(() -> {
				assertThat(another(two)).failsWithin(Duration.ofMinutes(1))
					.withThrowableThat()
					.havingCause()
					.isInstanceOf(LockNotGrantedException.class)
					.withMessageContaining("none of its 2 permits was granted");
				return Set.of(LockContext.current().orElseThrow().key());
			}));
			assertThat(keys).isSubsetOf(LockKey.of("reports#0"), LockKey.of("reports#1"));
			assertThat(another(two)).succeedsWithin(Duration.ofMinutes(1));
		});
	}

	@Test
	void aNestedCallUsesThePermitOfTheOuterOne(EmbeddedDynamoDb dynamoDb) {
		nodes(dynamoDb, (one, two) -> one.limited(() -> {
			LockKey outer = LockContext.current().orElseThrow().key();
			assertThat(one.limited(() -> LockContext.current().orElseThrow().key())).isEqualTo(outer);
			assertThat(one.reactive(Mono.fromSupplier(() -> LockContext.current().orElseThrow().key())).block())
				.isEqualTo(outer);
			return two.limited(() -> true);
		}));
	}

	@Test
	void aTemplateLimitsAsTheAnnotationDoes(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class).permits(2);
			Reports reports = context.getBean(Reports.class);
			LockKey shared = template.execute("reports",
					(lock) -> reports.limited(() -> LockContext.current().orElseThrow().key()));
			assertThat(shared).isIn(LockKey.of("reports#0"), LockKey.of("reports#1"));
			assertThat(context.getBean(LockClient.class).held()).isEmpty();
		});
	}

	/** A call of a thread that holds no permit. */
	private static CompletableFuture<Boolean> another(Reports reports) {
		return CompletableFuture.supplyAsync(() -> reports.limited(() -> true));
	}

	private void nodes(EmbeddedDynamoDb dynamoDb, Check check) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((one) -> node.run((two) -> check.accept(one.getBean(Reports.class), two.getBean(Reports.class))));
	}

	private ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb, this.calls::attach)
			.withBean(Reports.class)
			.withPropertyValues("reports.at-once=2");
	}

	interface Check {

		void accept(Reports one, Reports two) throws Exception;

	}

	static class Reports {

		@DistributedLock(name = "reports", permits = "${reports.at-once}", waitTime = "0s")
		<T> T limited(Supplier<T> work) {
			return work.get();
		}

		@DistributedLock(name = "reports", permits = "${reports.at-once}", waitTime = "0s")
		<T> Mono<T> reactive(Mono<T> work) {
			return work;
		}

	}

}

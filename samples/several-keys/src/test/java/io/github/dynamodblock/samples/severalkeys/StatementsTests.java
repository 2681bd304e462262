/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.severalkeys;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.github.dynamodblock.LockClient;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.willAnswer;

@SpringBootTest
class StatementsTests {

	@Autowired
	Statements statements;

	@Autowired
	LockClient lockClient;

	@MockitoBean
	Printer printer;

	@Test
	void twoStatementsArePrintedAtATime(@Autowired AsyncTaskExecutor executor) {
		AtomicInteger begun = new AtomicInteger();
		CountDownLatch paper = new CountDownLatch(1);
		willAnswer((invocation) -> {
			begun.incrementAndGet();
			paper.await();
			return null;
		}).given(this.printer).print(anyString());
		CompletableFuture<?>[] all = IntStream.range(0, 5)
			.mapToObj((i) -> executor.submitCompletable(() -> this.statements.print("account " + i)))
			.toArray(CompletableFuture[]::new);
		await().untilAsserted(() -> {
			assertThat(begun).hasValue(2);
			assertThat(this.lockClient.waiting()).hasSize(3);
		});
		paper.countDown();
		assertThat(CompletableFuture.allOf(all)).succeedsWithin(Duration.ofSeconds(20));
		assertThat(begun).hasValue(5);
	}

}

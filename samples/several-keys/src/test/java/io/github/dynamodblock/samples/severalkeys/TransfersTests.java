/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.severalkeys;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockLostException;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@SpringBootTest
class TransfersTests {

	@Autowired
	Transfers transfers;

	/** Stands for another node. */
	@Autowired
	LockClient otherNode;

	@Autowired
	JdbcClient jdbc;

	@Test
	void transfersInOppositeDirectionsEnd() {
		CompletableFuture<?>[] all = IntStream.range(0, 5)
			.boxed()
			.flatMap((i) -> Stream.of(start("anna", "ben"), start("ben", "anna")))
			.toArray(CompletableFuture[]::new);
		assertThat(CompletableFuture.allOf(all)).succeedsWithin(Duration.ofSeconds(20));
	}

	@Test
	void aTransferWaitsForBothAccounts() throws Exception {
		for (String account : List.of("anna", "ben")) {
			CompletableFuture<Void> transferred;
			try (HeldLock lock = this.otherNode.acquire("account:" + account)) {
				transferred = start("anna", "ben");
				await().untilAsserted(() -> assertThat(this.otherNode.waiting()).hasSize(1));
				assertThat(transferred).isNotDone();
			}
			assertThat(transferred).succeedsWithin(Duration.ofSeconds(10));
		}
	}

	@Test
	void aLateTransferIsRefused() {
		this.jdbc.sql("INSERT INTO account (id, cents, fencing_token) VALUES ('carl', 0, ?)")
			.param(Long.MAX_VALUE)
			.update();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.transfers.transfer("anna", "carl", 1));
	}

	private CompletableFuture<Void> start(String from, String to) {
		return CompletableFuture.runAsync(() -> this.transfers.transfer(from, to, 1));
	}

}

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
import org.springframework.dao.DataIntegrityViolationException;
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
		long anna = cents("anna");
		long ben = cents("ben");
		CompletableFuture<?>[] all = IntStream.range(0, 5)
			.boxed()
			.flatMap((i) -> Stream.of(start("anna", "ben", 3), start("ben", "anna", 1)))
			.toArray(CompletableFuture[]::new);
		assertThat(CompletableFuture.allOf(all)).succeedsWithin(Duration.ofSeconds(20));
		assertThat(cents("anna")).isEqualTo(anna - 10);
		assertThat(cents("ben")).isEqualTo(ben + 10);
	}

	@Test
	void aTransferWaitsForBothAccounts() throws Exception {
		for (String account : List.of("anna", "ben")) {
			CompletableFuture<Void> transferred;
			try (HeldLock lock = this.otherNode.acquire("account:" + account)) {
				transferred = start("anna", "ben", 1);
				await().untilAsserted(() -> assertThat(this.otherNode.waiting()).hasSize(1));
				assertThat(transferred).isNotDone();
			}
			assertThat(transferred).succeedsWithin(Duration.ofSeconds(10));
		}
	}

	@Test
	void aLateTransferIsRefused() {
		open("carl", 0, Long.MAX_VALUE);
		assertRefused("carl", 1, LockLostException.class);
	}

	@Test
	void aTransferThatFailsHalfwayIsRolledBack() {
		open("dora", Long.MAX_VALUE, 0);
		assertRefused("dora", 1, DataIntegrityViolationException.class);
	}

	@Test
	void anOverdraftIsRefused() {
		assertRefused("ben", cents("anna") + 1, IllegalStateException.class);
	}

	@Test
	void anAmountThatIsNotPositiveIsRefused() {
		assertRefused("ben", 0, IllegalArgumentException.class);
		assertRefused("ben", -1, IllegalArgumentException.class);
	}

	@Test
	void anUnknownAccountIsRefused() {
		assertRefused("emil", 1, IllegalArgumentException.class);
	}

	private void open(String account, long cents, long fencingToken) {
		this.jdbc.sql("INSERT INTO account (id, cents, fencing_token) VALUES (?, ?, ?)")
			.params(account, cents, fencingToken)
			.update();
	}

	private long cents(String account) {
		return this.jdbc.sql("SELECT cents FROM account WHERE id = ?").param(account).query(Long.class).single();
	}

	private CompletableFuture<Void> start(String from, String to, long cents) {
		return CompletableFuture.runAsync(() -> this.transfers.transfer(from, to, cents));
	}

	private void assertRefused(String to, long cents, Class<? extends Exception> refusal) {
		long before = cents("anna");
		assertThatExceptionOfType(refusal).isThrownBy(() -> this.transfers.transfer("anna", to, cents));
		assertThat(cents("anna")).isEqualTo(before);
	}

}

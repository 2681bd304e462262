/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.guardedsql;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.LockContext;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@SpringBootTest
class GuardTests {

	@Autowired
	JdbcOrders jdbc;

	@Autowired
	JpaOrders jpa;

	@Autowired
	LockClient locks;

	@Autowired
	LockClientBuilder builder;

	@Autowired
	JdbcClient sql;

	@Autowired
	TransactionTemplate transactions;

	@Test
	void aLateWriteWithJdbcIsRefused() throws Exception {
		this.jdbc.open("18");
		assertLateWriteIsRefused("18", (cents) -> this.jdbc.addItem("18", cents));
	}

	@Test
	void aLateWriteWithJpaIsRefused() throws Exception {
		this.jdbc.open("19");
		assertLateWriteIsRefused("19", (cents) -> this.jpa.addItem("19", cents));
	}

	@Test
	void anItemIsAddedWithJdbcToWhatTheFormerOwnerCommits() {
		this.jdbc.open("20");
		assertAddedToWhatTheFormerOwnerCommits("20", (cents) -> this.jdbc.addItem("20", cents));
	}

	@Test
	void anItemIsAddedWithJpaToWhatTheFormerOwnerCommits() {
		this.jdbc.open("21");
		assertAddedToWhatTheFormerOwnerCommits("21", (cents) -> this.jpa.addItem("21", cents));
	}

	private void assertLateWriteIsRefused(String id, LongConsumer addItem) throws Exception {
		try (LockClient pausedNode = this.builder.build()) {
			HeldLock lock = pausedNode.acquire(LockRequest.of("order:" + id).automaticRenewal(false));
			// As if the node were paused for longer than its lease.
			this.locks.forceRelease(lock.key(), pausedNode.ownerName());
			addItem.accept(250);
			// It resumes, and continues as if it held the lock.
			try (LockContext.Scope resumed = LockContext.open(this.locks, lock)) {
				assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> addItem.accept(100));
			}
		}
		assertThat(this.jdbc.totalCents(id)).isEqualTo(250);
	}

	private void assertAddedToWhatTheFormerOwnerCommits(String id, LongConsumer addItem) {
		CompletableFuture<Void> added = this.transactions.execute((status) -> {
			// The former owner has written, and has not committed yet.
			this.sql.sql("UPDATE orders SET total_cents = 100 WHERE id = ?").param(id).update();
			CompletableFuture<Void> next = CompletableFuture.runAsync(() -> addItem.accept(250));
			await().until(this::aTransactionWaitsForARow);
			return next;
		});
		assertThat(added).succeedsWithin(Duration.ofSeconds(10));
		assertThat(this.jdbc.totalCents(id)).isEqualTo(350);
	}

	private boolean aTransactionWaitsForARow() {
		return this.sql.sql("SELECT COUNT(*) > 0 FROM INFORMATION_SCHEMA.SESSIONS WHERE BLOCKER_ID IS NOT NULL")
			.query(Boolean.class)
			.single();
	}

}

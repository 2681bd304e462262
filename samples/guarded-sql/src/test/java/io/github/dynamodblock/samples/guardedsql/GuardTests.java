/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.guardedsql;

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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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

}

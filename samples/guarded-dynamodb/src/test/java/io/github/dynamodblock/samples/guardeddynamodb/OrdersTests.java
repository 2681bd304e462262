/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.guardeddynamodb;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.LockContext;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@SpringBootTest
@Import(OrdersTable.class)
class OrdersTests {

	@Autowired
	Orders orders;

	@Autowired
	LockClient locks;

	@Test
	void aLateWriteOfAFormerOwnerIsRefused(@Autowired LockClientBuilder builder) throws Exception {
		try (LockClient pausedNode = builder.build()) {
			HeldLock lock = pausedNode.acquire(LockRequest.of("order:42").automaticRenewal(false));
			// As if the node were paused for longer than its lease.
			this.locks.forceRelease(lock.key(), pausedNode.ownerName());
			this.orders.addItem("42", 250);
			// It resumes, and continues as if it held the lock.
			try (LockContext.Scope resumed = LockContext.open(this.locks, lock)) {
				assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.orders.addItem("42", 100));
			}
		}
		assertThat(this.orders.find("42")).isEqualTo(new Order("42", 1, 250));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.boot.test.InMemoryLocks;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@DataJpaTest(properties = "dynamodb-lock.wait-time=50ms")
@InMemoryLocks
@Import(OrderService.class)
@Transactional(propagation = Propagation.NOT_SUPPORTED)
class OrderServiceTests {

	@Autowired
	OrderService orders;

	@Autowired
	LockClient locks;

	@Test
	void addsItems() {
		long id = this.orders.open().id();
		this.orders.addItem(id, new Item(250));
		this.orders.addItem(id, new Item(100));
		assertThat(this.orders.find(id)).isEqualTo(new OrderResponse(id, 2, 350));
	}

	@Test
	void anItemIsNotAddedWhileAnotherNodeChangesTheOrder() throws Exception {
		long id = this.orders.open().id();
		try (HeldLock other = this.locks.acquire("order:" + id)) {
			assertThatExceptionOfType(LockNotGrantedException.class)
				.isThrownBy(() -> this.orders.addItem(id, new Item(250)));
		}
		assertThat(this.orders.find(id).items()).isZero();
	}

	@Test
	void aFormerOwnerAddsNothing(@Autowired LockClientBuilder builder) throws Exception {
		long id = this.orders.open().id();
		try (LockClient pausedNode = builder.build()) {
			HeldLock lock = pausedNode.acquire(LockRequest.of("order:" + id).automaticRenewal(false));
			// As if the node were paused for longer than its lease.
			this.locks.forceRelease(lock.key(), pausedNode.ownerName());
			this.orders.addItem(id, new Item(250));
			// It resumes, and continues as if it held the lock.
			try (LockContext.Scope resumed = LockContext.open(this.locks, lock)) {
				assertThatExceptionOfType(LockLostException.class)
					.isThrownBy(() -> this.orders.addItem(id, new Item(100)));
			}
		}
		assertThat(this.orders.find(id)).isEqualTo(new OrderResponse(id, 1, 250));
	}

}

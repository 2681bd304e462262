/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import java.util.Objects;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.boot.test.InMemoryLocks;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A slice with locks in memory. The transaction begins inside of the lock, not with the
 * test.
 */
@DataJpaTest(properties = "orders.patience=50ms")
@InMemoryLocks
@Import({ OrderService.class, Warehouse.class })
@Transactional(propagation = Propagation.NOT_SUPPORTED)
class OrderServiceTests {

	@Autowired
	private OrderService orders;

	@Autowired
	private LockClient locks;

	@Test
	void anItemIsAddedUnderTheOrdersLock() throws Exception {
		long id = open();
		Receipt receipt = this.orders.addItem(id, new Item(250));
		long token = Objects.requireNonNull(receipt.fencingToken());
		assertThat(this.locks.find("order:" + id).orElseThrow().fencingToken()).hasValue(token);
	}

	@Test
	void noItemIsAddedWhileAnotherNodeWorksOnTheOrder() throws Exception {
		long id = open();
		try (HeldLock other = this.locks.acquire("order:" + id)) {
			assertThatExceptionOfType(LockNotGrantedException.class)
				.isThrownBy(() -> this.orders.addItem(id, new Item(250)));
			assertThat(other.isHeld()).isTrue();
		}
		assertThat(this.orders.find(id).getItems()).isZero();
	}

	private long open() {
		return Objects.requireNonNull(this.orders.open().getId());
	}

}

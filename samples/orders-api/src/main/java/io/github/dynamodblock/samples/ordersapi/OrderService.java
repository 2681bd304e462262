/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class OrderService {

	private final OrderRepository orders;

	OrderService(OrderRepository orders) {
		this.orders = orders;
	}

	public OrderResponse open() {
		return OrderResponse.of(this.orders.save(new Order()));
	}

	public OrderResponse find(long id) {
		return OrderResponse.of(require(id));
	}

	/**
	 * Adds an item. The transaction begins after the lock is acquired, and commits before
	 * the lock is released. It is rolled back if another node has taken the lock over.
	 */
	@Transactional
	@DistributedLock(name = "order", key = "#id")
	public OrderResponse addItem(long id, Item item) {
		storeToken(id, LockContext.current().orElseThrow());
		// Read afterwards: the row is this transaction's until its end.
		Order order = require(id);
		order.add(item);
		return OrderResponse.of(order);
	}

	private void storeToken(long id, HeldLock lock) {
		int rows = this.orders.storeToken(id, lock.fencingToken());
		if (rows == 0) {
			require(id);
			throw new LockLostException(lock.key(), LossReason.STOLEN, lock.fencingToken());
		}
	}

	private Order require(long id) {
		return this.orders.findById(id).orElseThrow(() -> new OrderNotFoundException(id));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;

import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.server.ResponseStatusException;

/**
 * Orders in a relational database.
 */
@Service
@Profile("!dynamodb")
public class OrderService implements Orders {

	private final OrderRepository orders;

	private final Warehouse warehouse;

	OrderService(OrderRepository orders, Warehouse warehouse) {
		this.orders = orders;
		this.warehouse = warehouse;
	}

	@Override
	public Order open() {
		return this.orders.save(new Order());
	}

	@Override
	public Order find(long id) {
		return this.orders.findById(id)
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no order " + id));
	}

	/**
	 * {@inheritDoc} The transaction begins when the order's lock is held, and is
	 * committed before the lock is released, so that the next owner reads what this one
	 * has written.
	 */
	@Override
	@Transactional(isolation = Isolation.READ_COMMITTED)
	@DistributedLock(name = "order", key = "#id", waitTime = "${orders.patience}")
	public Receipt addItem(long id, Item item) throws InterruptedException {
		Order order = find(id);
		this.warehouse.reserve(item);
		order.add(item.cents());
		Long token = LockContext.current().map(HeldLock::fencingToken).orElse(null);
		return new Receipt(id, order.getItems(), order.getTotalCents(), token);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.OnBusy;

/** Has every mistake of its own that an annotation can have. */
public class OrderService {

	@DistributedLock(name = "archive")
	public final void archive(Order order) {
	}

	@DistributedLock(name = "check")
	private boolean check(Order order) {
		return !order.id().isEmpty();
	}

	@DistributedLock(name = "parse")
	public static Order parse(String text) {
		return new Order(text);
	}

	@DistributedLock(name = "export")
	public Future<String> export(Order order) {
		return CompletableFuture.completedFuture(order.id() + check(order));
	}

	@DistributedLock(name = "orders:fulfil")
	public void fulfil(Order order) {
	}

	@DistributedLock(name = "orders-#{#order.id}")
	public void watch(Order order) {
	}

	@DistributedLock(name = "list")
	public Stream<Order> list() {
		return Stream.of();
	}

	@DistributedLock
	public void cancel(Order order) {
	}

	@DistributedLock
	public void cancel(String id) {
	}

	@DistributedLock(name = "${orders.lock}")
	public void refund(Order order) {
	}

	@DistributedLock(name = "orders", key = "#order.")
	public void ship(Order order) {
	}

	@DistributedLock(name = "orders", key = "#ordre.id")
	public void pack(Order order) {
	}

	@DistributedLock(name = "orders", key = "order")
	public void bill(Order order) {
	}

	@DistributedLock(name = "orders", key = "@tenants.current()")
	public void close(Order order) {
	}

	@DistributedLock(name = "orders", waitTime = "5 parsecs")
	public void reopen(Order order) {
	}

	@DistributedLock(name = "orders", leaseDuration = "20ms")
	public void split(Order order) {
	}

	@DistributedLock(name = "orders", holdAtLeast = "1m", holdAtMost = "30s")
	public void hold(Order order) {
	}

	@DistributedLock(name = "orders", permits = "0")
	public void stock(Order order) {
	}

	@DistributedLock(name = "count", onBusy = OnBusy.SKIP)
	public int count() {
		return 0;
	}

	@DistributedLock(name = "quote", onBusy = OnBusy.FALLBACK)
	public String quote(Order order) {
		return "";
	}

	@DistributedLock(name = "price", onBusy = OnBusy.FALLBACK, fallback = "lastPrice")
	public String price(Order order) {
		return "";
	}

	@DistributedLock(name = "rate", onBusy = OnBusy.FALLBACK, fallback = "busy")
	public String rate(String currency) {
		return "";
	}

	@DistributedLock(name = "weigh", onBusy = OnBusy.FALLBACK, fallback = "busy")
	public Long weigh(Order order) {
		return 1L;
	}

	@DistributedLock(name = "send", onBusy = OnBusy.SKIP, fallback = "busy")
	public void send(Order order) {
	}

	String busy(Order order, LockNotGrantedException refusal) {
		return "";
	}

	@DistributedLock(name = "audit", lockClient = "audti")
	public void audit(Order order) {
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aheadoftime;

import java.util.Optional;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.ScheduledLock;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Service;

/**
 * Methods whose locks are named, keyed, waited for, skipped and answered by a fallback.
 */
@Service
public class Orders implements Audit {

	/**
	 * Fulfils an order under its lock.
	 * @param order the order
	 * @return the lock's key
	 */
	@DistributedLock(name = "${orders.lock-name:orders}", key = "#order.id", waitTime = "0s")
	public String fulfil(Order order) {
		return LockContext.current().map(HeldLock::key).orElseThrow().toString();
	}

	/**
	 * Counts what is open, unless another call does so.
	 * @param order whose lock it is
	 * @return the lock's key; empty if the lock is not free
	 */
	@DistributedLock(name = "orders", key = "#order.id", onBusy = OnBusy.SKIP)
	public Optional<String> countUnlessBusy(Order order) {
		return Optional.of(fulfil(order));
	}

	/**
	 * Names its lock by the called method.
	 * @return the lock's key
	 */
	@DistributedLock(name = "calls", key = "#root.targetClass.simpleName + '.' + #root.methodName")
	public String whichMethod() {
		return LockContext.current().map(HeldLock::key).orElseThrow().toString();
	}

	/**
	 * Ships an order, or says that it is busy.
	 * @param order the order
	 * @return the lock's key, or what {@code busy} says
	 */
	@DistributedLock(name = "orders", key = "#order.id", waitTime = "0s", onBusy = OnBusy.FALLBACK, fallback = "busy")
	public String ship(Order order) {
		return LockContext.current().map(HeldLock::key).orElseThrow().toString();
	}

	@SuppressWarnings({ "UnusedMethod", "UnusedVariable" }) // named by the annotation
	private String busy(Order order, LockNotGrantedException exception) {
		return order.id() + " is busy";
	}

	/**
	 * A job that one node runs.
	 * @return the lock's key; {@code null} if another node runs it
	 */
	@ScheduledLock(name = "nightly")
	public @Nullable String nightly() {
		return LockContext.current().map(HeldLock::key).orElseThrow().toString();
	}

	/**
	 * Takes its lock with the lock client of reports.
	 * @return the lock's key
	 */
	@DistributedLock(name = "monthly", lockClient = "reports")
	public String report() {
		return LockContext.current().map(HeldLock::key).orElseThrow().toString();
	}

	@Override
	public String audit() {
		return LockContext.current().map(HeldLock::key).orElseThrow().toString();
	}

}

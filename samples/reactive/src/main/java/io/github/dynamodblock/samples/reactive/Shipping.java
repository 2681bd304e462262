/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.reactive;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.ReactiveLockContext;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Ships orders: each by one node at a time, different ones in parallel.
 */
@Service
public class Shipping {

	private final Carrier carrier;

	Shipping(Carrier carrier) {
		this.carrier = carrier;
	}

	/**
	 * Ships an order. Each subscription acquires the lock, and releases it when its work
	 * completes, fails or is cancelled.
	 */
	@DistributedLock(name = "order", key = "#orderId", waitTime = "10s")
	public Mono<String> ship(String orderId) {
		return lock().flatMap((lock) -> this.carrier.pickUp(orderId, lock.fencingToken()));
	}

	// Without single(), a call without a lock would complete and do nothing.
	private static Mono<HeldLock> lock() {
		return ReactiveLockContext.current().single();
	}

}

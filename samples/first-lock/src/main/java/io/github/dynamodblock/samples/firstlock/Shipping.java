/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.firstlock;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Service;

/**
 * Ships orders: each by one node at a time, different ones in parallel.
 */
@Service
public class Shipping {

	private static final Logger logger = LoggerFactory.getLogger(Shipping.class);

	/**
	 * Ships an order. Waits for up to 10 seconds while another node ships the same one.
	 */
	@DistributedLock(name = "order", key = "#orderId", waitTime = "10s")
	public void ship(String orderId) {
		long token = LockContext.current().orElseThrow().fencingToken();
		logger.info("Shipping order {} with fencing token {}", orderId, token);
	}

}

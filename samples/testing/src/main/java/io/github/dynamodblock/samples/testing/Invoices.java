/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.testing;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;

import org.springframework.stereotype.Service;

/**
 * Writes invoices, each on one node at a time.
 */
@Service
public class Invoices {

	/**
	 * Writes the invoice of an order. Fails while another node does so.
	 */
	@DistributedLock(name = "invoice", key = "#orderId", waitTime = "0s")
	public String write(String orderId) {
		// Empty where a test runs without locks.
		Long token = LockContext.current().map(HeldLock::fencingToken).orElse(null);
		return "Invoice of order " + orderId + ", written under " + token;
	}

}

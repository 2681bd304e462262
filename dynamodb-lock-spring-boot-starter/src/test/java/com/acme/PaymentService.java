/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme;

import io.github.dynamodblock.spring.DistributedLock;

import org.springframework.transaction.annotation.Transactional;

/** Right by itself, and wrong with transactions or caches that stand outside. */
public class PaymentService {

	@Transactional
	@DistributedLock(name = "payments", key = "#order.id")
	public void pay(Order order) {
	}

}

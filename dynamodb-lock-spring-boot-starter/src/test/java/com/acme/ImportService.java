/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme;

import java.util.List;

import io.github.dynamodblock.spring.DistributedLock;

/** Calls its own annotated method. */
public class ImportService {

	public void importAll(List<Order> orders) {
		orders.forEach((order) -> importOne(order));
	}

	@DistributedLock(name = "import", key = "#order.id")
	public void importOne(Order order) {
	}

}

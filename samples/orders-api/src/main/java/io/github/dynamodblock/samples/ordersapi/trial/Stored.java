/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi.trial;

import java.util.Map;

/**
 * What is stored after all requests were answered.
 *
 * @param place who says so: the database, or one of the nodes
 * @param orders the orders by their numbers
 */
record Stored(String place, Map<Long, OrderState> orders) {

	OrderState order(long id) {
		return this.orders.getOrDefault(id, OrderState.EMPTY);
	}

}

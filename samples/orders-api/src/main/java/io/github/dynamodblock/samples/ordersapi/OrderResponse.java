/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

/**
 * An order as clients see it, without its fencing token.
 */
public record OrderResponse(long id, int items, long totalCents) {

	static OrderResponse of(Order order) {
		return new OrderResponse(order.getId(), order.getItems(), order.getTotalCents());
	}

}

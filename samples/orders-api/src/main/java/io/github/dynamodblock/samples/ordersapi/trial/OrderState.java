/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi.trial;

/**
 * What somebody says an order is.
 *
 * @param items how many items it has
 * @param cents what they cost together
 */
record OrderState(int items, long cents) {

	static final OrderState EMPTY = new OrderState(0, 0);

	OrderState plus(long itemCents) {
		return new OrderState(this.items + 1, this.cents + itemCents);
	}

	@Override
	public String toString() {
		return this.items + " items, " + this.cents + " cents";
	}

}

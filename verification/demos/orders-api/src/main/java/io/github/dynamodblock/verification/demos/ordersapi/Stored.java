/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import java.util.Map;

/**
 * What is stored after all requests were answered.
 *
 * @param place where it was read: in the database, or from one of the nodes
 * @param orders the orders by their numbers
 */
record Stored(String place, Map<Long, State> orders) {

	State order(long id) {
		return this.orders.getOrDefault(id, State.EMPTY);
	}

	/**
	 * An order.
	 *
	 * @param items how many items it has
	 * @param cents what they cost together
	 */
	record State(int items, long cents) {

		static final State EMPTY = new State(0, 0);

		State plus(long itemCents) {
			return new State(this.items + 1, this.cents + itemCents);
		}

		@Override
		public String toString() {
			return this.items + " items, " + this.cents + " cents";
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of one request to add an item.
 */
sealed interface Answer {

	/**
	 * The order that the request was for.
	 * @return the order's number
	 */
	long order();

	/**
	 * The node acknowledged that the item was added.
	 *
	 * @param order the order's number
	 * @param cents what the item costs
	 * @param items how many items the order has with it
	 * @param token the token of the lock under which it was added, or {@code null} if the
	 * node did not report it
	 */
	record Added(long order, long cents, int items, @Nullable Long token) implements Answer {
	}

	/**
	 * The node had no lock in time, or lost it before it wrote, and has changed nothing.
	 *
	 * @param order the order's number
	 */
	record Refused(long order) implements Answer {
	}

	/**
	 * Any other outcome: it is unknown whether the item was added.
	 *
	 * @param order the order's number
	 * @param what what happened
	 */
	record Failed(long order, String what) implements Answer {
	}

}

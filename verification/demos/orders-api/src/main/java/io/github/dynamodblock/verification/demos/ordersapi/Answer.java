/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import io.github.dynamodblock.samples.ordersapi.Receipt;

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
	 * @param receipt the order as the node has stored it
	 */
	record Added(long order, long cents, Receipt receipt) implements Answer {
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

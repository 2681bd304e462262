/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import org.springframework.web.server.ResponseStatusException;

/**
 * Opens, finds and changes orders, wherever they are stored.
 */
public interface Orders {

	/**
	 * Opens an order.
	 * @return an order without items
	 */
	Order open();

	/**
	 * Finds an order.
	 * @param id its number
	 * @return the order
	 * @throws ResponseStatusException with status 404 if there is none
	 */
	Order find(long id);

	/**
	 * Adds an item to an order: reads it, works a little, and writes it.
	 * @param id the order's number
	 * @param item the item
	 * @return the order with the item
	 * @throws InterruptedException if the thread is interrupted
	 * @throws ResponseStatusException with status 404 if there is no such order
	 */
	Receipt addItem(long id, Item item) throws InterruptedException;

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

/**
 * Thrown if there is no order with an ID.
 */
public class OrderNotFoundException extends RuntimeException {

	OrderNotFoundException(long id) {
		super("There is no order " + id + ".");
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

/**
 * The other systems that an update calls. The call takes some time, in which other
 * requests arrive.
 */
public class Warehouse {

	private static final long ANSWER_MILLISECONDS = 10;

	/**
	 * Reserves an item of an order that was read and is about to be written.
	 */
	void reserve() throws InterruptedException {
		Thread.sleep(ANSWER_MILLISECONDS);
	}

}

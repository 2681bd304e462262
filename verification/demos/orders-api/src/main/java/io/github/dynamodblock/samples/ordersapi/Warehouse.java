/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import org.springframework.stereotype.Component;

/**
 * Stands for the other systems that an update calls: that takes some time, in which other
 * requests come.
 */
@Component
public class Warehouse {

	private static final long ANSWER_MILLISECONDS = 10;

	/**
	 * Reserves an item.
	 * @param item the item
	 * @throws InterruptedException if the thread is interrupted
	 */
	public void reserve(Item item) throws InterruptedException {
		Thread.sleep(ANSWER_MILLISECONDS);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.function.BooleanSupplier;

/**
 * A transaction of the application in a simulated table.
 *
 * @param token by which the table recognises a repetition
 * @param condition whether the application's own condition holds
 * @param commit writes what the application writes
 */
public record SimulatedTransaction(String token, BooleanSupplier condition, Runnable commit) {

	/** The same in each run of a seed. */
	@Override
	public String toString() {
		return this.token;
	}

}

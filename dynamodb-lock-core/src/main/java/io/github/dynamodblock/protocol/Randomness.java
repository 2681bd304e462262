/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

/**
 * Where the protocol's random choices come from. Thread-safe.
 */
public interface Randomness {

	/**
	 * A record version number that was never used.
	 * @return a random UUID
	 */
	String recordVersionNumber();

	/**
	 * A random fraction, to spread calls in time.
	 * @return a number from zero (included) to one (excluded)
	 */
	double fraction();

}

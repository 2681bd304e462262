/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

/** The source of the protocol's random choices. Thread-safe. */
public interface Randomness {

	/** Returns a random UUID as a new record version number. */
	String recordVersionNumber();

	/**
	 * Returns a random number from zero (included) to one (excluded), to spread calls.
	 */
	double fraction();

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

/**
 * What a release did.
 */
public enum ReleaseOutcome {

	/** The lock was held and is now free. */
	RELEASED,

	/**
	 * The lock was requested with a time to be held at least, which is not over: this
	 * client keeps it until then and releases it by itself.
	 */
	KEPT,

	/** This handle had been released before; nothing was sent. */
	ALREADY_RELEASED,

	/** The lock had been lost before the release; nobody else's lock was touched. */
	LOST

}

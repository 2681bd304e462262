/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.operation;

import java.util.Locale;

/**
 * What a caller asks for.
 */
enum Operation {

	GET(Outcome.FREE),

	ACQUIRE(Outcome.GRANTED),

	RENEW(Outcome.RENEWED),

	RELEASE(Outcome.RELEASED),

	LIST(Outcome.LISTED),

	/** Nothing that the service has. */
	UNKNOWN(Outcome.INVALID);

	private final Outcome success;

	Operation(Outcome success) {
		this.success = success;
	}

	/**
	 * What came of it if the answer has a status of success and says no more.
	 */
	Outcome success() {
		return this.success;
	}

	/**
	 * The operation as logs and meters have it.
	 */
	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}

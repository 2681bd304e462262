/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.time.Duration;

/**
 * A request's body does not arrive in time.
 */
class BodyTimeoutException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	BodyTimeoutException(Duration timeout) {
		super("The body did not arrive within " + timeout.toMillis() + " ms");
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

/**
 * A request's body is too large to be looked at.
 */
class BodyTooLargeException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	BodyTooLargeException(int most) {
		super("The body is larger than " + most + " bytes");
	}

}

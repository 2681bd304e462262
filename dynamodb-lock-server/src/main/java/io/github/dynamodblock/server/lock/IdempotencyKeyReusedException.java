/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

/**
 * Thrown if an idempotency key is used again, for a different call.
 */
public class IdempotencyKeyReusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	IdempotencyKeyReusedException(String before, String now) {
		super("The idempotency key was already used for '" + before + "' of this lock, not for '" + now
				+ "'; use a new key for each call");
	}

}

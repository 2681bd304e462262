/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

/**
 * An idempotency key came with another duration than before.
 */
public class IdempotencyKeyReusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	IdempotencyKeyReusedException(long before, long now) {
		super("The idempotency key was already used for a renewal by " + before + " s of this lock, not by " + now
				+ " s; use a new key for each renewal");
	}

}

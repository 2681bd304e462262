/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import org.jspecify.annotations.Nullable;

/**
 * The root of everything that can go wrong with a lock, other than a bad argument
 * ({@link IllegalArgumentException}) and an interrupt ({@link InterruptedException}).
 */
public abstract class LockException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	LockException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import io.github.dynamodblock.LockKey;

/**
 * The thread was interrupted while it waited for the lock of a {@link LockTemplate}, or
 * of a method with {@link DistributedLock} that does not declare
 * {@link InterruptedException}. The body or method was not run, nothing is held, and the
 * thread's interrupt flag is set.
 */
public class LockWaitInterruptedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final LockKey key;

	/**
	 * Describes the interrupted wait.
	 * @param key the lock that was waited for
	 * @param location what was not run: a class and its method, or a body
	 * @param cause the interrupt
	 */
	public LockWaitInterruptedException(LockKey key, String location, InterruptedException cause) {
		super("Interrupted while waiting for lock '" + key + "'; " + location + " was not run", cause);
		this.key = key;
	}

	/**
	 * The lock that was waited for.
	 * @return the key
	 */
	public LockKey key() {
		return this.key;
	}

}

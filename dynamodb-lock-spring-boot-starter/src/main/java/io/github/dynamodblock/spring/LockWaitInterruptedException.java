/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import io.github.dynamodblock.LockKey;

/**
 * Thrown if the thread is interrupted while it waits for the lock of a
 * {@link LockTemplate}, or of a {@link DistributedLock} method that does not declare
 * {@link InterruptedException}. The body or method did not run, no lock is held, and the
 * thread's interrupt flag is set.
 */
public class LockWaitInterruptedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final LockKey key;

	/**
	 * Describes the interrupted wait.
	 * @param key the lock for which the thread waited
	 * @param location the class and method, or body, that did not run
	 * @param cause the interrupt
	 */
	public LockWaitInterruptedException(LockKey key, String location, InterruptedException cause) {
		super("Interrupted while waiting for lock '" + key + "'; " + location + " was not run", cause);
		this.key = key;
	}

	/**
	 * Returns the lock for which the thread waited.
	 * @return the key
	 */
	public LockKey key() {
		return this.key;
	}

}

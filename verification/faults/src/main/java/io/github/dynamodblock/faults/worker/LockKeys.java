/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

/**
 * The keys of the locks, the first of which are the slots of a semaphore.
 */
public final class LockKeys {

	/** How many locks are slots of the semaphore. */
	public static final int PERMITS = 4;

	/** The key of the semaphore, with which the keys of all locks begin. */
	static final String SEMAPHORE = "lock";

	private LockKeys() {
	}

	/**
	 * Returns the key of a lock.
	 * @param lock the number of the lock
	 * @return its key
	 */
	public static String key(int lock) {
		return SEMAPHORE + "#" + lock;
	}

	/**
	 * Returns which lock has a key.
	 * @param key the key
	 * @return the number of the lock
	 */
	public static int lock(String key) {
		return Integer.parseInt(key.substring(SEMAPHORE.length() + 1));
	}

}

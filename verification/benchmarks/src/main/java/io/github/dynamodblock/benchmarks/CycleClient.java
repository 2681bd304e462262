/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

/**
 * A way to acquire and release a lock, to be measured beside others.
 */
interface CycleClient extends AutoCloseable {

	/** The name in tables and lines. */
	String name();

	/**
	 * Acquires and releases a lock that no other worker uses.
	 * @param worker the number of the calling worker, from zero on
	 * @throws InterruptedException if this thread is interrupted
	 */
	void cycle(int worker) throws InterruptedException;

	@Override
	default void close() {
	}

}

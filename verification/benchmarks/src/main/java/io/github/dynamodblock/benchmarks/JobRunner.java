/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

/**
 * Runs one job on one node, if no other node does.
 */
interface JobRunner extends AutoCloseable {

	/**
	 * Starts a tick, as the scheduler does, and returns when it is run or refused.
	 * @param body the job
	 * @throws InterruptedException if this thread is interrupted
	 */
	void tick(Runnable body) throws InterruptedException;

	@Override
	default void close() {
	}

}

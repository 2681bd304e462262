/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Instant;

/**
 * Runs one job on one node, if no other node does.
 */
interface JobRunner extends AutoCloseable {

	/**
	 * Starts a tick, as the scheduler does, and returns when it is run or refused.
	 * @param now the time by the node's clock
	 * @param body the job
	 * @throws InterruptedException if this thread is interrupted
	 */
	void tick(Instant now, Runnable body) throws InterruptedException;

	@Override
	void close();

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.nemesis;

import java.io.IOException;
import java.time.Duration;

import io.github.dynamodblock.faults.network.LinkState;
import io.github.dynamodblock.verification.harness.DemoFailedException;

/**
 * What a nemesis can do. Each call returns when its fault is over. Thread-safe.
 */
public interface Target {

	/** How many nodes there are. */
	int nodes();

	/** How many locks there are. */
	int locks();

	/** Kills a node's process, and starts another one after a time. */
	void kill(int node, Duration absence) throws IOException, InterruptedException;

	/** Stops a node's process, and continues it after a time. */
	void pause(int node, Duration time) throws IOException, InterruptedException;

	/** Changes a node's way to DynamoDB. */
	void link(int node, LinkState state);

	/** Deletes the item of a lock, held or not. */
	void deleteItem(int lock);

	/** Deletes the lock table and makes a new one after a time. */
	void recreateTable(Duration absence) throws InterruptedException;

	/** Kills DynamoDB and starts it again with its data. */
	void restartDatabase() throws IOException, InterruptedException, DemoFailedException;

	/** Stops DynamoDB, and continues it after a time. */
	void pauseDatabase(Duration time) throws IOException, InterruptedException;

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

/**
 * A way to acquire and release a lock, to be measured beside others.
 *
 * @param name the name in tables and lines
 * @param cycle acquires and releases a lock that no other worker uses
 */
record CycleClient(String name, Workers.Worker cycle) {

	static final String BARE = "bare SDK";

}

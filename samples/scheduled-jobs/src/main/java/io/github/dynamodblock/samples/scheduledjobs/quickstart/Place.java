/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

/**
 * Where a node can be: at a lock.
 *
 * @param node the node
 * @param key the lock's key
 */
record Place(String node, String key) {

}

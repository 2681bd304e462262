/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import io.github.dynamodblock.LockKey;

/**
 * The condition of a guarded write: the owner holds the lock under this fencing token.
 * Heartbeats don't affect it.
 */
public record Guard(LockKey key, String ownerName, long fencingToken) {
}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

/**
 * A lock that the caller holds.
 *
 * @param lease how long it is held
 * @param fencingToken the fencing token, which increases with every grant
 */
public record Hold(Lease lease, long fencingToken) {

}

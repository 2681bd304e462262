/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

/**
 * A lock that is held by who asked.
 *
 * @param lease how long
 * @param fencingToken the number that grows with every grant
 */
public record Hold(Lease lease, long fencingToken) {

}

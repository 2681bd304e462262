/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

/**
 * The body of an administrator's request to release a lock by force.
 *
 * @param fencingToken the token of the hold to end
 */
record ForceReleaseRequest(long fencingToken) {

}

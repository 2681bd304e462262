/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

/**
 * The body of a request to acquire.
 *
 * @param instanceId which instance of the owner asks
 * @param leaseDuration for how many seconds
 */
record AcquireRequest(String instanceId, long leaseDuration) {

}

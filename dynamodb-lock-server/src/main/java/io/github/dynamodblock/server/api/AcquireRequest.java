/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

/**
 * The body of a request to acquire a lock.
 *
 * @param instanceId the owner's instance that sends the request
 * @param leaseDuration the requested lease in seconds
 */
record AcquireRequest(String instanceId, long leaseDuration) {

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

/**
 * The body of a request to release.
 *
 * @param instanceId which instance of the owner asks
 */
record ReleaseRequest(String instanceId) {

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import org.jspecify.annotations.Nullable;

/**
 * The body of a request to release a lock.
 *
 * @param instanceId the owner's instance that sends the request
 * @param fencingToken the token of the hold to release; {@code null} for any hold of the
 * instance
 */
record ReleaseRequest(String instanceId, @Nullable Long fencingToken) {

}

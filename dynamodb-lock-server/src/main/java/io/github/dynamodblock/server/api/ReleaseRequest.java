/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import org.jspecify.annotations.Nullable;

/**
 * The body of a request to release.
 *
 * @param instanceId which instance of the owner asks
 * @param fencingToken which hold is to be released; {@code null} for any of the instance
 */
record ReleaseRequest(String instanceId, @Nullable Long fencingToken) {

}

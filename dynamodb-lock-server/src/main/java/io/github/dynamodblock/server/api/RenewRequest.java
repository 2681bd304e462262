/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import org.jspecify.annotations.Nullable;

/**
 * The body of a request to renew.
 *
 * @param instanceId which instance of the owner asks
 * @param leaseDuration for how many seconds
 * @param fencingToken which hold is to be renewed; {@code null} for any of the instance
 */
record RenewRequest(String instanceId, long leaseDuration, @Nullable Long fencingToken) {

}

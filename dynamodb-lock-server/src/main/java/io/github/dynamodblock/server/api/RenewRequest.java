/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import org.jspecify.annotations.Nullable;

/**
 * The body of a request to renew a lock.
 *
 * @param instanceId the owner's instance that sends the request
 * @param leaseDuration how many seconds to add to the lease
 * @param fencingToken the token of the hold to renew; {@code null} for any hold of the
 * instance
 */
record RenewRequest(String instanceId, long leaseDuration, @Nullable Long fencingToken) {

}

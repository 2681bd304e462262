/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;

/**
 * A snapshot of an acquisition that waits for its lock. Immutable.
 *
 * <pre>{@code
 * for (WaitingAcquisition waiting : client.waiting()) {
 *     logger.info("{} has been awaited for {}", waiting.request().key(), waiting.waited());
 * }
 * }</pre>
 *
 * @param request the request of the acquisition
 * @param waited the time for which its caller had waited, not negative
 */
public record WaitingAcquisition(LockRequest request, Duration waited) {
}

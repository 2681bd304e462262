/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import io.github.dynamodblock.HeldLock;

/**
 * A lock will be lost soon: heartbeats have failed for long, or a lease that is not
 * renewed automatically is near its end.
 *
 * @param lock the lock, still held
 */
public record LockExpiringEvent(HeldLock lock) implements LockEvent {
}

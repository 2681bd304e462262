/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import io.github.dynamodblock.HeldLock;

/**
 * Reports once for a lock that a heartbeat has seen that another client waits for it.
 *
 * @param lock the lock, still held
 */
public record LockContendedEvent(HeldLock lock) implements LockEvent {
}

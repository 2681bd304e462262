/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import io.github.dynamodblock.HeldLock;

/**
 * Published when the grant or a heartbeat finds another client waiting for the lock, at
 * most once per lock.
 *
 * @param lock the lock, still held
 */
public record LockContendedEvent(HeldLock lock) implements LockEvent {
}

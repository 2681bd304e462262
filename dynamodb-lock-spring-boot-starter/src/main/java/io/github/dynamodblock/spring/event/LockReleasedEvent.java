/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import io.github.dynamodblock.HeldLock;

/**
 * Reports that a lock was released by its holder, or handed on to the next waiting
 * acquisition of this client.
 *
 * @param lock the lock, no longer held
 */
public record LockReleasedEvent(HeldLock lock) implements LockEvent {
}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import io.github.dynamodblock.HeldLock;

/**
 * Reports that a lock was granted. {@link HeldLock#acquisitionTime()} is how long that
 * took.
 *
 * @param lock the lock
 */
public record LockAcquiredEvent(HeldLock lock) implements LockEvent {
}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import io.github.dynamodblock.HeldLock;

/**
 * Reports that a lock will be lost soon, because its heartbeats have failed for some
 * time, or because it is not renewed automatically and its lease is near its end.
 *
 * @param lock the lock, still held
 */
public record LockExpiringEvent(HeldLock lock) implements LockEvent {
}

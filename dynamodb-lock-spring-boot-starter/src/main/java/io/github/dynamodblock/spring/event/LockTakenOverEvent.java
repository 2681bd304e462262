/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import java.time.Duration;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;

/**
 * Reports that a lock was taken over from an owner that had neither renewed nor released
 * it for a whole lease. That owner has probably crashed. Published after the
 * {@link LockAcquiredEvent}, whenever {@link LockListener#onTakenOver} is called.
 *
 * @param lock the lock
 * @param previous the lock as its previous owner held it
 * @param silent how long this client has seen no heartbeat from that owner; at least the
 * owner's lease
 */
public record LockTakenOverEvent(HeldLock lock, LockRecord previous, Duration silent) implements LockEvent {
}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LossReason;

/**
 * Reports that a lock was lost while it was held. Published exactly once, and not after
 * {@link LockReleasedEvent}.
 *
 * @param lock the lock, no longer held
 * @param reason why it was lost
 */
public record LockLostEvent(HeldLock lock, LossReason reason) implements LockEvent {
}

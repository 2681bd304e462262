/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

/**
 * What happens to a running method with {@link DistributedLock} when its lock is lost:
 * because no heartbeat was confirmed before its lease ended, because it was held for
 * longer than {@link DistributedLock#holdAtMost()}, or because another client took,
 * released or deleted it. A loss is logged when it happens, at ERROR, and again at INFO
 * when the method ends. If the loss was caused by closing the lock client, it is logged
 * at WARN.
 */
public enum OnLost {

	/**
	 * The method continues without the lock, and the caller gets its result.
	 */
	REPORT,

	/**
	 * The thread that runs the method is interrupted when the loss is noticed, and the
	 * caller gets {@link io.github.dynamodblock.LockLostException} in place of a result.
	 * For work that must not go on beside that of a successor, and that heeds interrupts.
	 */
	INTERRUPT

}

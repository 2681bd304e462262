/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

/**
 * What happens to a running method with {@link DistributedLock} when its lock is lost:
 * because its heartbeats did not reach the table for a whole lease, or because another
 * client took or deleted the lock.
 */
public enum OnLost {

	/**
	 * The method goes on. An ERROR is logged when it ends, and the caller gets its
	 * result.
	 */
	REPORT,

	/**
	 * The thread that runs the method is interrupted when the loss is noticed, and the
	 * caller gets {@link io.github.dynamodblock.LockLostException} in place of a result.
	 * For work that must not go on beside that of a successor, and that heeds interrupts.
	 */
	INTERRUPT

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

/**
 * What happens to a running {@link DistributedLock} method when its lock is lost. A lock
 * is lost if no heartbeat is confirmed before its lease ends, if it is held for longer
 * than {@link DistributedLock#holdAtMost()}, or if another client takes, releases or
 * deletes it. A loss is logged at ERROR when it happens, or at WARN if closing the lock
 * client caused it, and again at INFO when the method ends.
 */
public enum OnLost {

	/**
	 * The method continues without the lock, and the caller gets its result.
	 */
	REPORT,

	/**
	 * When the loss is detected, the thread that runs the method is interrupted, or its
	 * future, subscription or coroutine is cancelled. The caller gets
	 * {@link io.github.dynamodblock.LockLostException} instead of a result. Use it for
	 * work that must not overlap with the next owner's and that responds to interruption.
	 */
	INTERRUPT

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

/**
 * What a call of a method with {@link DistributedLock} does when the lock is not granted
 * within its wait time.
 */
public enum OnBusy {

	/**
	 * The call throws {@link io.github.dynamodblock.LockNotGrantedException}, which says
	 * who holds the lock.
	 */
	THROW,

	/**
	 * The method is not run, and the call returns {@code null}, or what is empty for its
	 * type: an empty {@link java.util.Optional}, a future completed with {@code null}, an
	 * empty {@code Mono} or {@code Flux}. For work that another node is already doing.
	 * Use {@link ScheduledLock} for scheduled jobs. By default, such a call doesn't wait
	 * and doesn't take over the lock of an owner that crashed; see
	 * {@link DistributedLock#awaitSilentOwner()}. Fails startup for a method that returns
	 * a primitive.
	 */
	SKIP,

	/**
	 * The method is not run. The call is answered by another method of the same bean, the
	 * one that {@link DistributedLock#fallback()} names.
	 */
	FALLBACK

}

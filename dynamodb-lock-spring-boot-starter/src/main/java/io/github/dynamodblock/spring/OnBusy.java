/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

/**
 * What a call of a {@link DistributedLock} method does if the lock is not granted within
 * the wait time.
 */
public enum OnBusy {

	/**
	 * The call throws {@link io.github.dynamodblock.LockNotGrantedException}, which names
	 * the holder.
	 */
	THROW,

	/**
	 * The method does not run. The call returns {@code null} or the empty value of its
	 * type: an empty {@link java.util.Optional}, a future completed with {@code null}, an
	 * empty {@code Mono} or {@code Flux}. Use it for work that another node is already
	 * doing, and {@link ScheduledLock} for scheduled jobs. By default, such a call
	 * neither waits nor takes over from a crashed owner; see
	 * {@link DistributedLock#awaitSilentOwner()}. If the method returns a primitive,
	 * startup fails.
	 */
	SKIP,

	/**
	 * The method does not run. The call goes to the method that
	 * {@link DistributedLock#fallback()} names.
	 */
	FALLBACK

}

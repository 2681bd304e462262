/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import io.github.dynamodblock.HeldLock;
import org.jspecify.annotations.Nullable;

/**
 * Code that {@link LockTemplate} runs under a lock and that may throw a checked
 * exception.
 *
 * @param <T> the result
 * @param <E> the checked exception that it throws; inferred as {@link RuntimeException}
 * where it throws none
 */
@FunctionalInterface
public interface LockedFunction<T extends @Nullable Object, E extends Throwable> {

	/**
	 * Runs under the lock.
	 * @param lock the lock, held; released by the template
	 * @return the result
	 * @throws E if it fails; the caller of the template gets it as it is
	 */
	T apply(HeldLock lock) throws E;

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import io.github.dynamodblock.HeldLock;
import org.jspecify.annotations.Nullable;

/**
 * Code that runs under a lock, returns a result and may throw a checked exception.
 *
 * @param <T> the type of the result
 * @param <E> the type of exception that the code throws; inferred as
 * {@link RuntimeException} if it throws none
 * @see LockTemplate#executeChecked
 */
@FunctionalInterface
public interface LockedFunction<T extends @Nullable Object, E extends Throwable> {

	/**
	 * Runs the code.
	 * @param lock the held lock, which the template releases
	 * @return the result
	 * @throws E if the code fails
	 */
	T apply(HeldLock lock) throws E;

}

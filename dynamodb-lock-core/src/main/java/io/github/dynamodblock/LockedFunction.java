/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import org.jspecify.annotations.Nullable;

/**
 * Code that runs under a lock, returns a result and may throw a checked exception.
 *
 * <pre>{@code
 * LockedFunction<String, IOException> body = (lock) -> readFile("orders-42");
 * String text = client.executeChecked("orders-42", body);
 * }</pre>
 *
 * @param <T> the type of the result
 * @param <E> the type of exception that the code throws; inferred as
 * {@link RuntimeException} if it throws none
 * @see LockClient#executeChecked(LockRequest, LockedFunction)
 */
@FunctionalInterface
public interface LockedFunction<T extends @Nullable Object, E extends Throwable> {

	/**
	 * Runs the code.
	 * @param lock the held lock. The caller of this method releases it.
	 * @return the result
	 * @throws E if the code fails
	 */
	T apply(HeldLock lock) throws E;

}

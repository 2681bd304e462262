/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

/**
 * Code that runs under a lock, returns no result and may throw a checked exception.
 *
 * <pre>{@code
 * LockedConsumer<RuntimeException> body = (lock) -> write(order, lock.fencingToken());
 * client.executeWithoutResult("orders-42", body);
 * }</pre>
 *
 * @param <E> the type of exception that the code throws; inferred as
 * {@link RuntimeException} if it throws none
 * @see LockClient#executeWithoutResult(LockRequest, LockedConsumer)
 */
@FunctionalInterface
public interface LockedConsumer<E extends Throwable> {

	/**
	 * Runs the code.
	 * @param lock the held lock. The caller of this method releases it.
	 * @throws E if the code fails
	 */
	void accept(HeldLock lock) throws E;

}

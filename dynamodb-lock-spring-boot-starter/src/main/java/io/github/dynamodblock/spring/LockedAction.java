/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import io.github.dynamodblock.HeldLock;

/**
 * What {@link LockTemplate} runs under a lock, without a result.
 *
 * @param <E> the checked exception that it throws; inferred as {@link RuntimeException}
 * where it throws none
 */
@FunctionalInterface
public interface LockedAction<E extends Throwable> {

	/**
	 * Runs under the lock.
	 * @param lock the lock, held; given back by the template
	 * @throws E whatever goes wrong; the caller of the template gets it as it is
	 */
	void run(HeldLock lock) throws E;

}

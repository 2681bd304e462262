/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.LockedExecution;
import org.jspecify.annotations.Nullable;

/**
 * Calls whose work is done when the method returns: the caller's thread acquires the
 * locks, runs the body and releases the locks.
 */
final class BlockingCalls {

	private BlockingCalls() {
	}

	@SuppressWarnings("NullAway") // does not see that the result's type is nullable
	static @Nullable Object run(LockedCall call) throws Throwable {
		LockedExecution execution = call.execution();
		try {
			call.acquire(execution);
		}
		catch (LockNotGrantedException ex) {
			return call.notGranted(ex);
		}
		return execution.<@Nullable Object, Throwable>execute(call::proceed);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import io.github.dynamodblock.spring.LockedExecution;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.job.JobCall;
import org.jspecify.annotations.Nullable;

/**
 * A call of a job that the scheduler does not make. It stays here until the method's
 * advice takes it.
 *
 * @param call the call
 * @param execution already has the lock of a run; for a plain call, the advice acquires
 * the lock
 */
record JobClaim(JobCall call, LockedExecution execution) {

	private static final ThreadLocal<@Nullable JobClaim> CURRENT = new ThreadLocal<>();

	/** Makes this the claim of the current thread, or none if it is {@code null}. */
	static void set(@Nullable JobClaim claim) {
		CURRENT.set(claim);
	}

	/** Takes the claim of the current thread for a method, whatever its key. */
	static @Nullable JobClaim take(LockDefinition definition) {
		JobClaim claim = CURRENT.get();
		if (claim == null || !claim.call.job().location().equals(definition.location())) {
			return null;
		}
		CURRENT.remove();
		return claim;
	}

}

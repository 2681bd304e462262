/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import io.github.dynamodblock.spring.LockedExecution;
import io.github.dynamodblock.spring.job.JobCall;

/**
 * A call of a job that is not the scheduler's, until the advice of the method takes it.
 *
 * @param call the call
 * @param execution has the lock of a run already; for a plain call, the advice acquires
 * it
 */
record JobClaim(JobCall call, LockedExecution execution) {
}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Runs annotated methods under their locks. Not meant to be used by applications.
 *
 * <pre>
 * DistributedLockAdvisor (which methods are locked)
 *     -&gt; LockedCall, FutureCalls, ReactiveCalls (when the work is done)
 *     -&gt; LockedExecution (acquires, runs, releases, reports)
 * </pre>
 */
@NullMarked
package io.github.dynamodblock.spring.aop.invocation;

import org.jspecify.annotations.NullMarked;

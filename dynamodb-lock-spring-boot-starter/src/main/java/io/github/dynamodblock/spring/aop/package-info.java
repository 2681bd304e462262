/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * How {@link io.github.dynamodblock.spring.DistributedLock} takes effect: found and
 * checked at start-up, applied around the call. Not meant to be used by applications.
 *
 * <pre>
 * DistributedLockAdvisor = DistributedLockPointcut (which methods) + DistributedLockInterceptor (what happens)
 * DistributedLockAnnotations -&gt; LockDefinitionReader -&gt; LockDefinition (one annotated method, checked)
 * DistributedLockInterceptor -&gt; LockedCall -&gt; BlockingCalls | FutureCalls | ReactiveCalls (when the work is done)
 * DistributedLockStartupCheck -&gt; AnnotatedMethodChecks: every annotated method of every bean is read, at startup and
 *     when a bean is created later. The bean has the advice (UnadvisedBeans), and each AnnotatedMethodCheck passes
 * </pre>
 */
@NullMarked
package io.github.dynamodblock.spring.aop;

import org.jspecify.annotations.NullMarked;

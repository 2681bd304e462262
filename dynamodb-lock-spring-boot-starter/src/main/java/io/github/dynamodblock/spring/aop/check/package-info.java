/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Checks annotated methods at startup, and when a bean is created later. Not meant to be
 * used by applications.
 *
 * <pre>
 * DistributedLockStartupCheck -&gt; AnnotatedMethodChecks: each annotated method of each bean is read. Its bean has the
 *     advice, there is a client, and each check passes
 * </pre>
 */
@NullMarked
package io.github.dynamodblock.spring.aop.check;

import org.jspecify.annotations.NullMarked;

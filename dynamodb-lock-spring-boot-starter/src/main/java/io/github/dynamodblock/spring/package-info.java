/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What an application that locks imports. Start at
 * {@link io.github.dynamodblock.spring.DistributedLock}, or at
 * {@link io.github.dynamodblock.spring.LockTemplate} where no annotation fits.
 */
@NullMarked
package io.github.dynamodblock.spring;

import org.jspecify.annotations.NullMarked;

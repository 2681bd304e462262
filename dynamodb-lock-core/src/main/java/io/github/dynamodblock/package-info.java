/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Distributed locks on Amazon DynamoDB.
 *
 * <p>
 * Start at {@link io.github.dynamodblock.LockClient}. This package and
 * {@code io.github.dynamodblock.table}, which creates and checks the lock table, are the
 * API of the lock client. All other packages are internal.
 */
@NullMarked
package io.github.dynamodblock;

import org.jspecify.annotations.NullMarked;

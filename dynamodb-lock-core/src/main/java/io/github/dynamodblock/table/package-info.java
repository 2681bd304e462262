/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Creates and checks the lock table. Applications use
 * {@link io.github.dynamodblock.table.LockTable}.
 */
@NullMarked
package io.github.dynamodblock.table;

import org.jspecify.annotations.NullMarked;

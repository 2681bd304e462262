/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The lock table itself: creating it, checking it, waiting for it.
 * {@link io.github.dynamodblock.table.LockTable} is what an application uses.
 */
@NullMarked
package io.github.dynamodblock.table;

import org.jspecify.annotations.NullMarked;

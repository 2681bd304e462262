/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A distributed lock on Amazon DynamoDB: what an application imports.
 *
 * <p>
 * Start at {@link io.github.dynamodblock.LockClient}. Nothing outside this package, and
 * {@code io.github.dynamodblock.table} for creating the table, is meant to be used by
 * applications.
 */
@NullMarked
package io.github.dynamodblock;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What DynamoDB is asked, and what its answers mean.
 * {@link io.github.dynamodblock.store.LockItem} is the one class that knows the item's
 * attributes and expressions.
 */
@NullMarked
package io.github.dynamodblock.store;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The lock table in DynamoDB: requests, and what the answers mean.
 * {@link io.github.dynamodblock.store.TableSchema} has the table's names and keys,
 * {@link io.github.dynamodblock.store.LockItem} the item's attributes,
 * {@link io.github.dynamodblock.store.WriteRequest} the expressions that write them, and
 * {@link io.github.dynamodblock.store.StoreErrors} the messages about failed calls.
 */
@NullMarked
package io.github.dynamodblock.store;

import org.jspecify.annotations.NullMarked;

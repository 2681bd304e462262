/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import org.jspecify.annotations.Nullable;

/**
 * The order as an added item has left it.
 *
 * @param id the order's number
 * @param items how many items it has
 * @param totalCents what they cost together
 * @param fencingToken the token of the lock under which the item was added, or
 * {@code null} without a lock
 */
public record Receipt(long id, int items, long totalCents, @Nullable Long fencingToken) {

}

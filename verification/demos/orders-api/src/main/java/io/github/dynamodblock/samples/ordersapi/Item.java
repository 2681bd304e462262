/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

/**
 * What is to be added to an order.
 *
 * @param cents what it costs
 */
public record Item(long cents) {

}

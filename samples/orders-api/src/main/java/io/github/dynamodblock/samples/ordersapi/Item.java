/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import jakarta.validation.constraints.Positive;

/**
 * An item to be added to an order.
 */
public record Item(@Positive long cents) {

}

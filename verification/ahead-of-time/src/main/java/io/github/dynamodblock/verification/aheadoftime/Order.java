/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aheadoftime;

/**
 * What is locked.
 *
 * @param id the order's number
 */
public record Order(long id) {
}

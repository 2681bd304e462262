/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What the tests of the core share: one DynamoDB Local, what was asked of it, and what
 * can go wrong on the way to it.
 */
@NullMarked
package io.github.dynamodblock.testing;

import org.jspecify.annotations.NullMarked;

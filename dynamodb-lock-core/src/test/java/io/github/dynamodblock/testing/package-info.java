/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What the tests of the core share: one DynamoDB Local, and what was asked of it.
 */
@NullMarked
package io.github.dynamodblock.testing;

import org.jspecify.annotations.NullMarked;

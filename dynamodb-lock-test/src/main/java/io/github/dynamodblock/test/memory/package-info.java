/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** DynamoDB tables in memory for tests, without DynamoDB Local. */
@NullMarked
package io.github.dynamodblock.test.memory;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * How long tests await conditions. The tests of three modules share this package.
 */
@NullMarked
package io.github.dynamodblock.conditions;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A web application whose requests change rows of a database under locks.
 */
@NullMarked
package io.github.dynamodblock.samples.ordersapi;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The application: a web application whose requests change rows of a database under
 * locks. The package {@code demo} drives it, and is no part of it.
 */
@NullMarked
package io.github.dynamodblock.samples.ordersapi;

import org.jspecify.annotations.NullMarked;

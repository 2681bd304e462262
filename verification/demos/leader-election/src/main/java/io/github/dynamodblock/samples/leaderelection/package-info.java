/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The application: a bookkeeper of which one node at a time is active. The package
 * {@code demo} drives it, and is no part of it.
 */
@NullMarked
package io.github.dynamodblock.samples.leaderelection;

import org.jspecify.annotations.NullMarked;

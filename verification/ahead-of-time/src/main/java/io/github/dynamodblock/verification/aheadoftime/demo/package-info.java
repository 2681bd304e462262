/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The demo: calls everything in the application and prints the outcomes.
 */
@NullMarked
package io.github.dynamodblock.verification.aheadoftime.demo;

import org.jspecify.annotations.NullMarked;

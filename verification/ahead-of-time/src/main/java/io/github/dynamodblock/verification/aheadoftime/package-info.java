/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The application, which Spring processes ahead of time. The package {@code demo} calls
 * it, and is no part of it.
 */
@NullMarked
package io.github.dynamodblock.verification.aheadoftime;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A sample that Spring processes ahead of time.
 */
@NullMarked
package io.github.dynamodblock.samples.aheadoftime;

import org.jspecify.annotations.NullMarked;

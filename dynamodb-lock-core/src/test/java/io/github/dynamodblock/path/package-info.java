/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Records which types of the core a call passes.
 */
@NullMarked
package io.github.dynamodblock.path;

import org.jspecify.annotations.NullMarked;

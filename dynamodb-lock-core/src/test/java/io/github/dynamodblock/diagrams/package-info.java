/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Draws the diagrams of the documentation, and checks that the files are up to date.
 */
@NullMarked
package io.github.dynamodblock.diagrams;

import org.jspecify.annotations.NullMarked;

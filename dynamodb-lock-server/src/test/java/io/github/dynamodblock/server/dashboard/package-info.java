/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Draws the picture of the dashboard from a run.
 */
@NullMarked
package io.github.dynamodblock.server.dashboard;

import org.jspecify.annotations.NullMarked;

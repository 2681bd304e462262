/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests of what who runs the service sees of it.
 */
@NullMarked
package io.github.dynamodblock.server.operation;

import org.jspecify.annotations.NullMarked;

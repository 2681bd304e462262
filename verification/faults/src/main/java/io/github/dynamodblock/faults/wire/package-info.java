/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What workers and the coordinator say to each other.
 */
@NullMarked
package io.github.dynamodblock.faults.wire;

import org.jspecify.annotations.NullMarked;

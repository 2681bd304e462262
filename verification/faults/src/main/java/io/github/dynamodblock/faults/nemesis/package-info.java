/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What goes wrong in a run, as its seed has it.
 */
@NullMarked
package io.github.dynamodblock.faults.nemesis;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The processes of a run: started, stopped, continued and killed.
 */
@NullMarked
package io.github.dynamodblock.faults.process;

import org.jspecify.annotations.NullMarked;

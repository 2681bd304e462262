/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What the nodes write down, for the quick start to read.
 */
@NullMarked
package io.github.dynamodblock.samples.scheduledjobs.journal;

import org.jspecify.annotations.NullMarked;

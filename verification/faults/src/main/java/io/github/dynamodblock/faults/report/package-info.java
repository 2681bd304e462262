/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What came out of a run, for people to read.
 */
@NullMarked
package io.github.dynamodblock.faults.report;

import org.jspecify.annotations.NullMarked;

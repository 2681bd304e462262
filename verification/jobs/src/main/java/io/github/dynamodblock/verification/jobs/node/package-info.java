/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The application of the trials: one job for each trial, and what each node reports.
 */
@NullMarked
package io.github.dynamodblock.verification.jobs.node;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Trials of scheduled jobs: starts the nodes of an application, refreshes, stops and
 * kills them while they run jobs, and checks what they reported.
 */
@NullMarked
package io.github.dynamodblock.verification.jobs;

import org.jspecify.annotations.NullMarked;

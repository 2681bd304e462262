/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The demo: starts nodes of the application in samples/leader-election, disturbs their
 * leaders, and checks by the ledger that there were never two at a time.
 */
@NullMarked
package io.github.dynamodblock.verification.demos.leaderelection;

import org.jspecify.annotations.NullMarked;

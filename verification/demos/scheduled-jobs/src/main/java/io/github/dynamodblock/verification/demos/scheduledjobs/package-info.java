/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The demo: starts nodes of the application in samples/scheduled-job, kills one of them,
 * and checks what all of them reported.
 *
 * <p>
 * In the nodes, {@code ObservedNode} adds a second job, accounts, advice that reports,
 * and a clock that differs from those of the other nodes. In the demo's process,
 * {@code Activity} collects the reports, {@code LockChecker} and {@code TickChecker}
 * check them, and {@code LivePage} shows the lock table.
 */
@NullMarked
package io.github.dynamodblock.verification.demos.scheduledjobs;

import org.jspecify.annotations.NullMarked;

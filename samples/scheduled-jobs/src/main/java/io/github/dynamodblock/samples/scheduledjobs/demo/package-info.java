/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The demo: starts nodes of the application, calls their accounts, kills one node, and
 * checks what all of them reported. No part of the application.
 *
 * <p>
 * In the nodes, {@code ObservedNode} adds beans that report. In the demo's process,
 * {@code Activity} collects the reports, and {@code LockChecker} checks them.
 */
@NullMarked
package io.github.dynamodblock.samples.scheduledjobs.demo;

import org.jspecify.annotations.NullMarked;

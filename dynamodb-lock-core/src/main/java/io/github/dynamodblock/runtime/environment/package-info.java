/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The clocks, timers, threads and calls on which a lock client runs: interfaces, and
 * their implementations on the machine's clocks and threads. Tests implement
 * {@link io.github.dynamodblock.runtime.environment.Environment} in virtual time.
 */
@NullMarked
package io.github.dynamodblock.runtime.environment;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The lock client: carries out the protocol's decisions. Clocks, timers, executors and
 * calls come from an {@link io.github.dynamodblock.runtime.environment.Environment}; this
 * package reads no clock and starts no thread.
 */
@NullMarked
package io.github.dynamodblock.runtime;

import org.jspecify.annotations.NullMarked;

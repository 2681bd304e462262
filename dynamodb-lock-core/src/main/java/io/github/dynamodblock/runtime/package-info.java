/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The lock client, whose subpackages carry out the protocol's decisions. Clocks, timers,
 * executors and calls come from an
 * {@link io.github.dynamodblock.runtime.environment.Environment}. No thread is started
 * elsewhere, and no other clock is read except where a caller's own thread waits until a
 * deadline.
 */
@NullMarked
package io.github.dynamodblock.runtime;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Threads and time around the protocol. Everything here stands on an
 * {@link io.github.dynamodblock.runtime.Environment}, which gives it clocks, timers and
 * executors; nothing here reads a clock or starts a thread by itself.
 */
@NullMarked
package io.github.dynamodblock.runtime;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Locks in Spring tests: in memory by default, with a separate table for a test class,
 * and with scheduled jobs that need not wait for the clock.
 */
@NullMarked
package io.github.dynamodblock.spring.boot.test;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Locks in tests with Spring: in memory by default, a separate table for a test class,
 * and scheduled jobs without waiting for the clock.
 */
@NullMarked
package io.github.dynamodblock.spring.boot.test;

import org.jspecify.annotations.NullMarked;

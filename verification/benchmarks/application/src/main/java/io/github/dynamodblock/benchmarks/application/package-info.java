/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A minimal Spring Boot application, whose start is measured.
 */
@NullMarked
package io.github.dynamodblock.benchmarks.application;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Meters, observations, health and endpoints for locks and jobs. Each part needs a
 * separate library, and does not load the libraries of the others.
 */
@NullMarked
package io.github.dynamodblock.spring.boot.actuate;

import org.jspecify.annotations.NullMarked;

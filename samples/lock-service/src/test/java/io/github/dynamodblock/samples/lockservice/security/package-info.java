/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests of who may call.
 */
@NullMarked
package io.github.dynamodblock.samples.lockservice.security;

import org.jspecify.annotations.NullMarked;

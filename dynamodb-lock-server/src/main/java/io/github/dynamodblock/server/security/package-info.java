/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Authentication and authorization of callers.
 */
@NullMarked
package io.github.dynamodblock.server.security;

import org.jspecify.annotations.NullMarked;

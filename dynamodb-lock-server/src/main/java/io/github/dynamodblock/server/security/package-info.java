/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Who may call, and in whose name.
 */
@NullMarked
package io.github.dynamodblock.server.security;

import org.jspecify.annotations.NullMarked;

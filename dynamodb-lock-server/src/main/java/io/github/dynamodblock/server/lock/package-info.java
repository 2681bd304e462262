/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The service's locks: what a call may do with a lock, and how it is stored. Knows
 * nothing of HTTP.
 */
@NullMarked
package io.github.dynamodblock.server.lock;

import org.jspecify.annotations.NullMarked;

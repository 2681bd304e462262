/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The service's locks: their operations and how they are stored. Independent of HTTP.
 */
@NullMarked
package io.github.dynamodblock.server.lock;

import org.jspecify.annotations.NullMarked;

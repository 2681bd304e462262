/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Application events about this application's locks.
 */
@NullMarked
package io.github.dynamodblock.spring.event;

import org.jspecify.annotations.NullMarked;

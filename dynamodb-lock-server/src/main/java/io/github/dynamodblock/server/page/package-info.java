/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The list of locks that are held, live: for the page, and for other watchers.
 */
@NullMarked
package io.github.dynamodblock.server.page;

import org.jspecify.annotations.NullMarked;

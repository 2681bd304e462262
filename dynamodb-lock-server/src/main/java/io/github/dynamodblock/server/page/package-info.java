/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The list of locks that are held, live: for the page, and for whoever else wants to
 * watch.
 */
@NullMarked
package io.github.dynamodblock.server.page;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The live list of held locks, for the page and for other watchers.
 */
@NullMarked
package io.github.dynamodblock.server.page;

import org.jspecify.annotations.NullMarked;

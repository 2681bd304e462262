/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The page in a real browser. Compiled and run under the profile {@code browser} only.
 */
@NullMarked
package io.github.dynamodblock.server.page.browser;

import org.jspecify.annotations.NullMarked;

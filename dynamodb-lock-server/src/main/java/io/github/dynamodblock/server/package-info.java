/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A lock server over HTTP.
 */
@NullMarked
package io.github.dynamodblock.server;

import org.jspecify.annotations.NullMarked;

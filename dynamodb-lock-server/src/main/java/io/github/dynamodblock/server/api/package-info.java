/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The HTTP API: requests, responses and errors.
 */
@NullMarked
package io.github.dynamodblock.server.api;

import org.jspecify.annotations.NullMarked;

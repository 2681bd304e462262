/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What operators see: one log line for each call.
 */
@NullMarked
package io.github.dynamodblock.server.operation;

import org.jspecify.annotations.NullMarked;

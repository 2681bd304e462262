/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What who runs the service sees of it: a log line of each call, its health, its
 * interactive documentation, and how it stops.
 */
@NullMarked
package io.github.dynamodblock.server.operation;

import org.jspecify.annotations.NullMarked;

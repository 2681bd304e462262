/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What all operations of a client share, and what knows none of them: settings, the queue
 * of the waiting callers, listeners and the log.
 */
@NullMarked
package io.github.dynamodblock.runtime.shared;

import org.jspecify.annotations.NullMarked;

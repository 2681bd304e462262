/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What all operations of a client share: settings, the queue of waiting callers,
 * listeners and the log. None of these types depends on an operation.
 */
@NullMarked
package io.github.dynamodblock.runtime.shared;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Carries out {@code protocol.lease}: a lock from its grant to its end, and operations by
 * a token.
 */
@NullMarked
package io.github.dynamodblock.runtime.lease;

import org.jspecify.annotations.NullMarked;

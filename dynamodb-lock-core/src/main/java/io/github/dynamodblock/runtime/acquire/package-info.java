/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Carries out {@code protocol.acquire}: one caller's acquisition, which ends with a
 * handle or an exception.
 */
@NullMarked
package io.github.dynamodblock.runtime.acquire;

import org.jspecify.annotations.NullMarked;

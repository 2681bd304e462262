/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What operations see of locks: meters, observations, health and an endpoint. Each part
 * needs a separate library, and nothing here loads another part's.
 */
@NullMarked
package io.github.dynamodblock.spring.boot.actuate;

import org.jspecify.annotations.NullMarked;

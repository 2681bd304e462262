/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Service connections of containers that Testcontainers runs.
 */
@NullMarked
package io.github.dynamodblock.spring.boot.testcontainers;

import org.jspecify.annotations.NullMarked;

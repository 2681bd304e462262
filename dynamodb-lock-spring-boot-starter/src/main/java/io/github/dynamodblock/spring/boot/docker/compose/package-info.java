/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Service connections of the services of a {@code compose.yaml}.
 */
@NullMarked
package io.github.dynamodblock.spring.boot.docker.compose;

import org.jspecify.annotations.NullMarked;

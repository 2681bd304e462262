/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Spring Boot auto-configuration of locks.
 * {@link io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties} lists
 * its properties.
 */
@NullMarked
package io.github.dynamodblock.spring.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What Spring Boot configures when the starter is on the class path. Properties:
 * {@link io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties}.
 */
@NullMarked
package io.github.dynamodblock.spring.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;

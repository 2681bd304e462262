/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Auto-configures an {@link io.github.dynamodblock.test.EmbeddedDynamoDb} in Spring Boot
 * applications that configure no DynamoDB.
 */
@NullMarked
package io.github.dynamodblock.test.autoconfigure;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * DynamoDB Local for tests and demonstrations, in this JVM or in a separate one. The
 * application must add DynamoDB Local; {@link io.github.dynamodblock.test.memory} does
 * not need it.
 */
@NullMarked
package io.github.dynamodblock.test;

import org.jspecify.annotations.NullMarked;

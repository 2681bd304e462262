/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A DynamoDB Local for tests and demonstrations, in this JVM or in a separate one. It is
 * no part of a production application.
 */
@NullMarked
package io.github.dynamodblock.test;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A ShedLock lock provider that uses the lock client. Start at
 * {@link io.github.dynamodblock.shedlock.DynamoDbLockProvider}.
 */
@NullMarked
package io.github.dynamodblock.shedlock;

import org.jspecify.annotations.NullMarked;

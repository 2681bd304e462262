/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Spring Integration's lock registry on DynamoDB. A registry finds the entry of a key, a
 * view of it is what threads lock, and the lock client asks DynamoDB.
 */
@NullMarked
package io.github.dynamodblock.spring.integration;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Spring Integration's lock registry on DynamoDB. A registry has one lock object for each
 * key in use. The lock object acquires the lock through the lock client.
 */
@NullMarked
package io.github.dynamodblock.spring.integration;

import org.jspecify.annotations.NullMarked;

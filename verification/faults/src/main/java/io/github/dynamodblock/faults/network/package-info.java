/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The network between a worker and DynamoDB, in which each request and each answer can
 * have a fate of its own.
 */
@NullMarked
package io.github.dynamodblock.faults.network;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Starts a database, DynamoDB Local and two nodes of the samples, sends them many
 * requests at once, and compares what they acknowledged with what is stored. The samples
 * are compiled unchanged; classes of this package observe and break them.
 */
@NullMarked
package io.github.dynamodblock.verification.demos.ordersapi;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The demo: starts a database, DynamoDB Local and two nodes of the application, sends
 * them many requests at once, and compares what they acknowledged with what is stored. No
 * part of the application.
 */
@NullMarked
package io.github.dynamodblock.verification.demos.ordersapi;

import org.jspecify.annotations.NullMarked;

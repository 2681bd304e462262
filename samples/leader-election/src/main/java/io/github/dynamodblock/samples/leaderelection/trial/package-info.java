/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The trial: starts DynamoDB Local and three nodes, does to the leader what happens to
 * leaders, and judges by the ledger whether there were ever two at a time. No part of the
 * application.
 */
@NullMarked
package io.github.dynamodblock.samples.leaderelection.trial;

import org.jspecify.annotations.NullMarked;

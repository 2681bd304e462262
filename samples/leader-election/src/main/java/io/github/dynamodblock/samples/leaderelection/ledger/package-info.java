/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The ledger that the leader writes into, as the nodes see it.
 */
@NullMarked
package io.github.dynamodblock.samples.leaderelection.ledger;

import org.jspecify.annotations.NullMarked;

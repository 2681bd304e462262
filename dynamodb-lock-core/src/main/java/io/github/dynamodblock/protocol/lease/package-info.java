/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * How a granted lock is renewed and released. {@code Lease} is the immutable value that
 * decides; its documentation lists the transitions. {@code Renewals} is what the lease
 * knows of its item, and {@code Heartbeats} decides when it is renewed. {@code Release},
 * {@code RetriedRenewal} and {@code UnguardedChange} extend {@code RetriedWrite}, which
 * is one write with its retries.
 */
@NullMarked
package io.github.dynamodblock.protocol.lease;

import org.jspecify.annotations.NullMarked;

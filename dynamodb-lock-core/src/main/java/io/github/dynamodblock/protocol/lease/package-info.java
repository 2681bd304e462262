/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * How a granted lock is kept, renewed and released. {@code Lease} is the one immutable
 * value that decides it, and prints its transitions. {@code Renewals} is what it knows of
 * its item, and {@code Heartbeats} says when it is renewed. {@code RetriedWrite} is the
 * one write, with its retries, under {@code Release}, {@code RetriedRenewal} and
 * {@code UnguardedChange}.
 */
@NullMarked
package io.github.dynamodblock.protocol.lease;

import org.jspecify.annotations.NullMarked;

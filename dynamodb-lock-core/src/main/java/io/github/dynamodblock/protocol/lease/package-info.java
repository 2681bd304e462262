/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * How a granted lock is kept, renewed and released. {@code HeldLease} is the immutable
 * state of one lease: heartbeats, the watch and the holder replace it atomically.
 * {@code RetriedWrite} is the one write, with its retries, under releases, forced
 * releases, token renewals and the lock that is retained until it expires.
 */
@NullMarked
package io.github.dynamodblock.protocol.lease;

import org.jspecify.annotations.NullMarked;

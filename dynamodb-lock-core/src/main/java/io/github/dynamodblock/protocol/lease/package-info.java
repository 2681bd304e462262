/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * How a granted lock is kept, renewed and released. {@code HeldLease} is the immutable
 * state of one lease: heartbeats, the watch and the holder replace it atomically.
 * {@code Heartbeats} says when each heartbeat is due and how long its answer is awaited.
 * {@code RetriedWrite} is the one write, with its retries, under {@code Release},
 * {@code ForcedRelease}, {@code TokenRenewal} and {@code LastWrite}.
 */
@NullMarked
package io.github.dynamodblock.protocol.lease;

import org.jspecify.annotations.NullMarked;

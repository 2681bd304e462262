/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Judges a run by what its processes saw and did, without a look into the lock client.
 *
 * <p>
 * {@code History} gathers what was seen, {@code Resource} is what the locks guard, and
 * {@code Judge} finds what must not have been. All times are nanoseconds of the machine's
 * monotonic clock, which all its processes share.
 */
@NullMarked
package io.github.dynamodblock.faults.judge;

import org.jspecify.annotations.NullMarked;

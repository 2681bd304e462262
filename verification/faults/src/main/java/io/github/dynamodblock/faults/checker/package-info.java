/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Checks a run by what its processes observed and did, without using the lock client.
 *
 * <p>
 * {@code History} gathers what was seen, {@code Resources} are what the locks guard, and
 * {@code Checker} finds what must not have been. All times are nanoseconds of the
 * machine's monotonic clock, which all its processes share.
 */
@NullMarked
package io.github.dynamodblock.faults.checker;

import org.jspecify.annotations.NullMarked;

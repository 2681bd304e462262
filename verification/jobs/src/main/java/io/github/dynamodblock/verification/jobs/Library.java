/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs;

import org.jspecify.annotations.Nullable;

/**
 * What gives the jobs of a trial their locks.
 *
 * @param locked whether they have locks
 * @param previousClassPath the class path of every second node, with another version of
 * the library, or {@code null} if all nodes have this one
 */
record Library(boolean locked, @Nullable String previousClassPath) {
}

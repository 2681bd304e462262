/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.nemesis;

import org.jspecify.annotations.Nullable;

/**
 * Something that went wrong.
 *
 * @param kind what
 * @param node at which node, or {@code null} if at none
 * @param from when it began
 * @param to when it was over
 * @param detail what else is to be known
 */
public record Fault(FaultKind kind, @Nullable Integer node, long from, long to, String detail) {
}

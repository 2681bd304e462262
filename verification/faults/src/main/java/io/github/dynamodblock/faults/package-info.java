/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Real processes under faults: {@code Faults} is the program.
 *
 * <p>
 * It starts DynamoDB Local and several workers, each a process, lets a nemesis loose on
 * them, and checks what they did. {@code Run} is one run from start to end,
 * {@code Cluster} what runs, {@code nemesis} what goes wrong, {@code checker} what must
 * not happen, {@code report} what came out.
 */
@NullMarked
package io.github.dynamodblock.faults;

import org.jspecify.annotations.NullMarked;

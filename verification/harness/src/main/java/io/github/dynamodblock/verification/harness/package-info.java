/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The harness of the demos: starts DynamoDB Local and the nodes of an application as
 * separate processes, pauses and kills them, prints a timeline of their events, and ends
 * with a verdict.
 *
 * <p>
 * {@code DemoRunner} runs a {@code Demo} in the process that a run script starts. Its
 * child processes run {@code ApplicationNode} or {@code DynamoDbLocal}, and use
 * {@code ParentProcess} and {@code Reporter}. No child process outlives the demo.
 */
@NullMarked
package io.github.dynamodblock.verification.harness;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The quick start: starts DynamoDB Local and the nodes, kills one of them, and judges by
 * what they wrote down.
 *
 * <p>
 * Everything happens on one thread, {@code Show}; the threads that read the children's
 * output only put it into its queue. What is decided there is in values without threads
 * and clocks: {@code History}, {@code Stage} and {@code Verdict}.
 */
@NullMarked
package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import org.jspecify.annotations.NullMarked;

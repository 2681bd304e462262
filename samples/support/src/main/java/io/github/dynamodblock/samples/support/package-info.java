/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * How the samples' run scripts start servers and nodes as processes of their own, and end
 * them again however the run ends.
 *
 * <p>
 * One side is that of the process that the script starts: {@code ForegroundRun},
 * {@code ChildProcess}, {@code ServerProcess}. The other is that of its children:
 * {@code ParentProcess}, {@code DynamoDbLocal}.
 */
@NullMarked
package io.github.dynamodblock.samples.support;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The program of a worker: a process whose threads acquire locks, use what they guard and
 * release them. {@code Worker} is the program, {@code Workload} one thread of it, and
 * {@code Locks} the lock client that it tries out.
 */
@NullMarked
package io.github.dynamodblock.faults.worker;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What the lock client is held to, measured: calls, times, waiting, takeover, fairness,
 * many locks at once, the start of an application.
 *
 * <p>
 * {@code Benchmarks} is the program. Each {@code Benchmark} gives {@code Figure}s; what
 * it needs to know about calls it learns from interceptors of the SDK, as any user could.
 */
@NullMarked
package io.github.dynamodblock.benchmarks;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.time.Duration;

/**
 * How long a lock client holds its locks at most, and what says so.
 *
 * @param holdAtMost the longest time
 * @param property the name of the property that sets it
 */
public record HoldLimit(Duration holdAtMost, String property) {
}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Scheduled jobs of a cluster: when a job is due, and the record of its runs in the item
 * of its lock.
 */
@NullMarked
package io.github.dynamodblock.spring.job;

import org.jspecify.annotations.NullMarked;

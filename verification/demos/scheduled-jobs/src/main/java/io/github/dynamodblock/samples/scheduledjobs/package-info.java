/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The application: a scheduled job and accounts, each on one node at a time. The package
 * {@code demo} drives it, and is no part of it.
 */
@NullMarked
package io.github.dynamodblock.samples.scheduledjobs;

import org.jspecify.annotations.NullMarked;

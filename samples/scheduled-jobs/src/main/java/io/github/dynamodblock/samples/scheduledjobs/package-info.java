/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The application: a scheduled job and accounts, each on one node at a time.
 */
@NullMarked
package io.github.dynamodblock.samples.scheduledjobs;

import org.jspecify.annotations.NullMarked;

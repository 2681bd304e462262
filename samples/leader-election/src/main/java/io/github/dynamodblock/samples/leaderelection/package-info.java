/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * One of several nodes leads, and it alone works. The application is what an application
 * of yours might be; {@code ledger} is what it works on, {@code trial} puts it to the
 * test.
 */
@NullMarked
package io.github.dynamodblock.samples.leaderelection;

import org.jspecify.annotations.NullMarked;

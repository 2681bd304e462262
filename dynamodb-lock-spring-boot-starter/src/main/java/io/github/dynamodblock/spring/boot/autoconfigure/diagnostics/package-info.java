/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What fails the startup of an application with locks, and the reports of the cause and
 * the fix.
 */
@NullMarked
package io.github.dynamodblock.spring.boot.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;

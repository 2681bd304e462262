/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What ends the start of an application with locks, and the reports that tell people how
 * to mend it.
 */
@NullMarked
package io.github.dynamodblock.spring.boot.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Stands in for a library that is not here.
 */
@NullMarked
package software.amazon.dax;

import org.jspecify.annotations.NullMarked;

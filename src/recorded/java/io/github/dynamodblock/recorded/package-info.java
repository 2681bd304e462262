/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Items that each version wrote, which every later version must read. The tests of four
 * modules share this package.
 */
@NullMarked
package io.github.dynamodblock.recorded;

import org.jspecify.annotations.NullMarked;

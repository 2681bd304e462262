/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What implements {@link io.github.dynamodblock.test.FreshLockTable} in Spring's
 * TestContext Framework.
 */
@NullMarked
package io.github.dynamodblock.test.context;

import org.jspecify.annotations.NullMarked;

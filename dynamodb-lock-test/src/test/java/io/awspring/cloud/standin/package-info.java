/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Stands in for Spring Cloud AWS, which is recognised by its package.
 */
@NullMarked
package io.awspring.cloud.standin;

import org.jspecify.annotations.NullMarked;

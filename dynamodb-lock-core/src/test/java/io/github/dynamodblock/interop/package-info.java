/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * This client and the AWS lock client for Java on one table: whoever moves from one to
 * the other runs both for a while.
 */
@NullMarked
package io.github.dynamodblock.interop;

import org.jspecify.annotations.NullMarked;

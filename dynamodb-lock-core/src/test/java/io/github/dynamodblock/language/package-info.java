/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Checks the words of the documentation, of Javadoc and of messages.
 */
@NullMarked
package io.github.dynamodblock.language;

import org.jspecify.annotations.NullMarked;

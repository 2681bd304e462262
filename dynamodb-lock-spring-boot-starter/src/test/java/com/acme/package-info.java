/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * An application with mistakes, whose messages the documentation shows.
 */
@NullMarked
package com.acme;

import org.jspecify.annotations.NullMarked;

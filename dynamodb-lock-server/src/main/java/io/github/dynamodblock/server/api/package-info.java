/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The service over HTTP: what is asked, what is answered, and what is wrong with a
 * request.
 */
@NullMarked
package io.github.dynamodblock.server.api;

import org.jspecify.annotations.NullMarked;

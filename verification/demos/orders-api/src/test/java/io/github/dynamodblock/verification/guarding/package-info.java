/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The guards of {@code docs/guarding.md} for resources other than DynamoDB: each lets an
 * owner write, and refuses one that has lost its lock without noticing it.
 */
@NullMarked
package io.github.dynamodblock.verification.guarding;

import org.jspecify.annotations.NullMarked;

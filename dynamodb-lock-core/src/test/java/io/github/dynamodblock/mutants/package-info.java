/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Versions of the client in which one rule is broken each, and the proof that the
 * simulation and the tests notice. {@code src/mutants} describes them.
 */
@NullMarked
package io.github.dynamodblock.mutants;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

/**
 * Whether the lock table is created when the application starts.
 */
public enum TableCreation {

	/** The table must exist; it is checked, and startup fails if it is missing. */
	NEVER,

	/** A missing table is created, with on-demand billing, and waited for. */
	IF_MISSING

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

/**
 * What happens if an annotated bean was made without the advice that takes the lock.
 */
public enum MissingAdvice {

	/** Startup fails, or the creation of the bean if it comes later. */
	FAIL,

	/** A WARN names each method; the methods run without the lock. */
	WARN

}

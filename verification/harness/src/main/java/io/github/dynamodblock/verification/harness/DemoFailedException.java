/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.harness;

/**
 * Ends a demo without a verdict. Its message is printed after the word FAILED.
 */
public final class DemoFailedException extends Exception {

	private static final long serialVersionUID = 1L;

	/** Creates an exception. */
	public DemoFailedException(String message) {
		super(message);
	}

}

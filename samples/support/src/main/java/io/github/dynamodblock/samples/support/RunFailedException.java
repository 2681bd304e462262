/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.support;

/**
 * The run cannot go on.
 */
public final class RunFailedException extends Exception {

	private static final long serialVersionUID = 1L;

	private final String why;

	/**
	 * Ends a run.
	 * @param why what comes after the word FAILED
	 */
	public RunFailedException(String why) {
		super(why);
		this.why = why;
	}

	/**
	 * Why the run ended.
	 * @return what comes after the word FAILED
	 */
	public String why() {
		return this.why;
	}

}

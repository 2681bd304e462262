/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

/**
 * The run cannot go on.
 */
final class RunFailedException extends Exception {

	private static final long serialVersionUID = 1L;

	private final String why;

	/**
	 * Ends a run.
	 * @param why what comes after the word FAILED
	 */
	RunFailedException(String why) {
		super(why);
		this.why = why;
	}

	String why() {
		return this.why;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.model;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What TLC said.
 *
 * @param status its exit status
 * @param text all that it printed
 */
record Verdict(int status, String text) {

	/** TLC's exit status if it has found nothing wrong. */
	static final int NO_ERROR = 0;

	/** TLC's exit status after the violation of an invariant. */
	static final int INVARIANT_VIOLATED = 12;

	/** TLC's exit status after the violation of a temporal property. */
	static final int PROPERTY_VIOLATED = 13;

	private static final Pattern VIOLATED = Pattern.compile("^Error: Invariant (\\w+) is violated", Pattern.MULTILINE);

	private static final Pattern STATES = Pattern.compile(
			"^([\\d,]+) states generated, ([\\d,]+) distinct states found, ([\\d,]+) states left on queue",
			Pattern.MULTILINE);

	private static final Pattern DEPTH = Pattern.compile("^The depth of the complete state graph search is (\\d+)",
			Pattern.MULTILINE);

	/** Whether every state was looked at and none was wrong. */
	boolean isWithoutError() {
		return this.status == NO_ERROR && this.text.contains("Model checking completed. No error has been found.")
				&& statesLeft() == 0;
	}

	/** The invariant that was violated, or an empty text. */
	String violated() {
		Matcher matcher = VIOLATED.matcher(this.text);
		return (this.status == INVARIANT_VIOLATED && matcher.find()) ? matcher.group(1) : "";
	}

	/** Whether a temporal property was violated. */
	boolean isPropertyViolated() {
		return this.status == PROPERTY_VIOLATED && this.text.contains("Error: Temporal properties were violated.");
	}

	long distinctStates() {
		return number(STATES, 2);
	}

	private long statesLeft() {
		return number(STATES, 3);
	}

	long depth() {
		return number(DEPTH, 1);
	}

	private long number(Pattern pattern, int group) {
		Matcher matcher = pattern.matcher(this.text);
		return matcher.find() ? Long.parseLong(matcher.group(group).replace(",", "")) : -1;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.demo;

import java.util.ArrayList;
import java.util.List;

/**
 * The options of a demo. Each read removes the option, so that what is left is unknown.
 */
public final class CommandLine {

	private final List<String> remaining;

	/**
	 * Creates a command line.
	 * @param args the arguments of the main class
	 */
	public CommandLine(String... args) {
		this.remaining = new ArrayList<>(List.of(args));
	}

	/**
	 * Reads an option without a value.
	 * @param option the name of the option, such as {@code --keep-running}
	 * @return whether the option is present
	 */
	public boolean flag(String option) {
		return this.remaining.remove(option);
	}

	/**
	 * Reads an option whose value is a whole number.
	 * @param absent the number without the option
	 * @param least the least allowed number
	 * @param most the greatest allowed number
	 * @throws IllegalArgumentException if the value is missing, no number, or out of
	 * range
	 */
	public int number(String option, int absent, int least, int most) {
		String value = text(option, Integer.toString(absent));
		int number;
		try {
			number = Integer.parseInt(value);
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException(option + " is \"" + value + "\"; it must be a whole number", ex);
		}
		if (number < least || number > most) {
			throw new IllegalArgumentException(option + " is " + number + "; it must be from " + least + " to " + most);
		}
		return number;
	}

	/**
	 * Reads an option with a value.
	 * @param absent the value without the option
	 * @return the value
	 * @throws IllegalArgumentException if the value is missing
	 */
	public String text(String option, String absent) {
		int index = this.remaining.indexOf(option);
		if (index < 0) {
			return absent;
		}
		this.remaining.remove(index);
		if (index == this.remaining.size()) {
			throw new IllegalArgumentException(option + " needs a value");
		}
		return this.remaining.remove(index);
	}

	/**
	 * Checks that every option was read.
	 * @throws IllegalArgumentException if an option is unknown
	 */
	public void requireAllRead() {
		if (!this.remaining.isEmpty()) {
			throw new IllegalArgumentException("Unknown option " + this.remaining.get(0));
		}
	}

}

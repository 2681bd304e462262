/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.support;

/**
 * Reads the values of options on a command line.
 */
public final class OptionValues {

	private OptionValues() {
	}

	/**
	 * The whole number that follows an option.
	 * @param args the command line
	 * @param option where the option is in it
	 * @return the number
	 * @throws IllegalArgumentException if there is none
	 */
	public static int number(String[] args, int option) {
		String value = text(args, option);
		try {
			return Integer.parseInt(value);
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException(args[option] + " is \"" + value + "\"; it must be a whole number", ex);
		}
	}

	/**
	 * What follows an option.
	 * @param args the command line
	 * @param option where the option is in it
	 * @return the text
	 * @throws IllegalArgumentException if there is nothing
	 */
	public static String text(String[] args, int option) {
		if (option + 1 == args.length) {
			throw new IllegalArgumentException(args[option] + " needs a value");
		}
		return args[option + 1];
	}

}

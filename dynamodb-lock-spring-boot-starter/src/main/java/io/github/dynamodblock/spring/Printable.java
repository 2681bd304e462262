/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

/**
 * Escapes text from outside for exceptions and logs, as the lock client does for its own.
 */
public final class Printable {

	private Printable() {
	}

	/**
	 * Escapes control, format and separator characters. A line break would forge a line
	 * of a log, and a bidirectional mark changes the order in which a line is read.
	 * @param text the text
	 * @return the text on one line, with such characters as Java writes them
	 */
	public static String of(String text) {
		StringBuilder printable = new StringBuilder(text.length());
		text.chars().forEach((character) -> {
			if (isEscaped(character)) {
				printable.append(String.format("\\u%04x", character));
			}
			else {
				printable.append((char) character);
			}
		});
		return printable.toString();
	}

	private static boolean isEscaped(int character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
			default -> false;
		};
	}

}

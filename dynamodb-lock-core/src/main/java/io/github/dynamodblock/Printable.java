/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

/**
 * Text from outside as messages and logs show it: on one line, and in the order in which
 * it is written.
 */
final class Printable {

	private Printable() {
	}

	/** The text with its control, format and separator characters escaped. */
	static String of(String text) {
		if (isPrintable(text)) {
			return text;
		}
		StringBuilder printable = new StringBuilder(text.length() + 16);
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

	/** A line break forges a line of a log, and a bidirectional mark its meaning. */
	private static boolean isEscaped(int character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
			default -> false;
		};
	}

	/** Whether a text is shown as it is. */
	static boolean isPrintable(String text) {
		return text.chars().noneMatch(Printable::isEscaped);
	}

}

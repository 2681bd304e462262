/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

/**
 * Escapes external text for messages and logs, so that it stays on one line and is
 * displayed in the order in which it is written. What other programs store in the lock
 * table, such as an owner name, could otherwise forge a log line.
 *
 * <pre>{@code
 * client.find("orders-42")
 *     .ifPresent((found) -> logger.info("Held by {}", Printable.of(found.ownerName())));
 * }</pre>
 */
public final class Printable {

	private Printable() {
	}

	/**
	 * Escapes control, format and separator characters.
	 * @param text the text, for example the owner name of another client's lock
	 * @return the text with each such character as its Unicode escape
	 */
	public static String of(String text) {
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

	/** A line break forges a log line, and a bidirectional mark its meaning. */
	private static boolean isEscaped(int character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
			default -> false;
		};
	}

	/** Returns whether a text needs no escaping. */
	static boolean isPrintable(String text) {
		return text.chars().noneMatch(Printable::isEscaped);
	}

}

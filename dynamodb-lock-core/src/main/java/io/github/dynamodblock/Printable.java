/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * Formats values for messages and logs.
 *
 * <pre>{@code
 * client.find("orders-42").ifPresent((found) -> logger.info("Held by {} with a lease of {}",
 *         Printable.of(found.ownerName()), Printable.of(found.leaseDuration())));
 * }</pre>
 */
public final class Printable {

	private static final long MINUTE = 60;

	private static final long HOUR = 60 * MINUTE;

	private static final long DAY = 24 * HOUR;

	private Printable() {
	}

	/**
	 * Escapes control, format and separator characters of external text, so that it stays
	 * on one line and is displayed in the order in which it is written. What other
	 * programs store in the lock table, such as an owner name, could otherwise forge a
	 * log line.
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

	/**
	 * Formats a duration, such as "250 ms", "12.3 s", "5 min" or "365 days", without
	 * rounding it.
	 * @param duration the duration
	 * @return a number and a unit
	 */
	public static String of(Duration duration) {
		long seconds = duration.getSeconds();
		if (duration.getNano() == 0 && seconds >= 2 * MINUTE && seconds % MINUTE == 0) {
			if (seconds >= 2 * DAY && seconds % DAY == 0) {
				return seconds / DAY + " days";
			}
			return (seconds >= 2 * HOUR && seconds % HOUR == 0) ? seconds / HOUR + " h" : seconds / MINUTE + " min";
		}
		BigDecimal exact = BigDecimal.valueOf(seconds).add(BigDecimal.valueOf(duration.getNano(), 9));
		return (duration.isZero() || exact.abs().compareTo(BigDecimal.ONE) >= 0) ? plain(exact) + " s"
				: plain(exact.movePointRight(3)) + " ms";
	}

	private static String plain(BigDecimal number) {
		return number.stripTrailingZeros().toPlainString();
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

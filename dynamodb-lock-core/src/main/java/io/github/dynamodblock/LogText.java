/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Formats values for messages and logs.
 *
 * <pre>{@code
 * client.find("orders-42").ifPresent((found) -> logger.info("Held by {} with a lease of {}",
 *         LogText.of(found.ownerName()), LogText.of(found.leaseDuration())));
 * }</pre>
 */
public final class LogText {

	/** A line break could forge a log line, and a bidirectional mark could reorder it. */
	private static final Pattern ESCAPED = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

	private static final long MINUTE = 60;

	private static final long HOUR = 60 * MINUTE;

	private static final long DAY = 24 * HOUR;

	private LogText() {
	}

	/**
	 * Escapes control, format and separator characters of external text, so that it stays
	 * on one line and is displayed in the order in which it is written. What other
	 * programs store in the lock table, such as an owner name, could otherwise forge a
	 * log line.
	 * @return the text with each such character as its Unicode escape
	 */
	public static String of(String text) {
		return ESCAPED.matcher(text).replaceAll((found) -> Matcher.quoteReplacement(escape(found.group())));
	}

	private static String escape(String character) {
		return character.chars().mapToObj((unit) -> String.format("\\u%04x", unit)).collect(Collectors.joining());
	}

	/**
	 * Formats a duration, such as "250 ms", "12.3 s", "5 min" or "365 days", without
	 * rounding it.
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

	/**
	 * Formats a measured duration with as many digits as matter, such as "250 ms", "12.3
	 * s" or "5 min".
	 */
	public static String rounded(Duration duration) {
		long millis = duration.toMillis();
		long unit = 1;
		if (millis >= 1000) {
			unit = (millis < 2000 * MINUTE) ? 100 : 1000 * MINUTE;
		}
		return of(Duration.ofMillis((millis + unit / 2) / unit * unit));
	}

	private static String plain(BigDecimal number) {
		return number.stripTrailingZeros().toPlainString();
	}

}

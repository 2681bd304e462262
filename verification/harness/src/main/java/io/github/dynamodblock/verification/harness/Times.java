/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.harness;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Formats times for people.
 */
public final class Times {

	private static final DateTimeFormatter TIME_OF_DAY = DateTimeFormatter.ofPattern("HH:mm:ss.SSS")
		.withZone(ZoneId.systemDefault());

	private Times() {
	}

	/** Formats the time of day, to the millisecond. */
	public static String timeOfDay(Instant time) {
		return TIME_OF_DAY.format(time);
	}

	/**
	 * Formats seconds with two decimals.
	 * @return the duration with its unit, such as {@code 3.30 s}
	 */
	public static String seconds(Duration duration) {
		return String.format(Locale.ROOT, "%.2f s", duration.toNanos() / 1e9);
	}

	/** Formats the seconds between two times with two decimals. */
	public static String seconds(Instant from, Instant to) {
		return seconds(Duration.between(from, to));
	}

}

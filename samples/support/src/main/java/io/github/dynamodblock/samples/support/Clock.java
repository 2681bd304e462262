/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.support;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * How times are shown.
 */
public final class Clock {

	private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS")
		.withZone(ZoneId.systemDefault());

	private Clock() {
	}

	/**
	 * The time of day to the millisecond.
	 * @param time the time
	 * @return the time as text
	 */
	public static String show(Instant time) {
		return TIME.format(time);
	}

	/**
	 * Seconds with two digits.
	 * @param duration the time
	 * @return the seconds as text, without a unit
	 */
	public static String seconds(Duration duration) {
		return String.format(Locale.ROOT, "%.2f", duration.toNanos() / 1e9);
	}

	/**
	 * Seconds with as many digits as they need.
	 * @param duration the time
	 * @return the seconds as text, without a unit
	 */
	public static String plainSeconds(Duration duration) {
		return (duration.toMillis() % 1000 == 0) ? Long.toString(duration.toSeconds())
				: Double.toString(duration.toMillis() / 1e3);
	}

}

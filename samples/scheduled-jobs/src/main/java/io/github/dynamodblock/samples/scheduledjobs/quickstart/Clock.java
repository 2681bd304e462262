/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * How times are shown.
 */
final class Clock {

	private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS")
		.withZone(ZoneId.systemDefault());

	private Clock() {
	}

	/** The time of day to the millisecond. */
	static String show(Instant time) {
		return TIME.format(time);
	}

	/** Seconds with two digits. */
	static String seconds(Duration duration) {
		return String.format(Locale.ROOT, "%.2f", duration.toNanos() / 1e9);
	}

	/** Seconds with as many digits as they need. */
	static String plainSeconds(Duration duration) {
		return (duration.toMillis() % 1000 == 0) ? Long.toString(duration.toSeconds())
				: Double.toString(duration.toMillis() / 1e3);
	}

}

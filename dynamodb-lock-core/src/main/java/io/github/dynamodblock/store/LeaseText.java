/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * How a lease is written in an item: whole milliseconds in digits. Go programs write
 * durations like "20s" or "1m30s" instead; both are read.
 */
final class LeaseText {

	private static final Pattern MILLISECONDS = Pattern.compile("[0-9]{1,19}");

	private static final Pattern UNITS = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?)(ns|us|µs|ms|s|m|h)");

	private static final Map<String, Long> NANOS = Map.of("ns", 1L, "us", 1_000L, "µs", 1_000L, "ms", 1_000_000L, "s",
			1_000_000_000L, "m", 60_000_000_000L, "h", 3_600_000_000_000L);

	private LeaseText() {
	}

	static String write(Duration lease) {
		return Long.toString(lease.toMillis());
	}

	/** The lease, not negative, or {@code null} if the text is none. */
	static @Nullable Duration read(String text) {
		return MILLISECONDS.matcher(text).matches() ? milliseconds(text) : units(text);
	}

	private static @Nullable Duration milliseconds(String text) {
		BigInteger milliseconds = new BigInteger(text);
		return (milliseconds.bitLength() < Long.SIZE) ? Duration.ofMillis(milliseconds.longValueExact()) : null;
	}

	private static @Nullable Duration units(String text) {
		Matcher unit = UNITS.matcher(text);
		BigDecimal nanos = BigDecimal.ZERO;
		int end = 0;
		while (unit.find() && unit.start() == end) {
			long unitNanos = Objects.requireNonNull(NANOS.get(unit.group(2)));
			nanos = nanos.add(new BigDecimal(unit.group(1)).multiply(BigDecimal.valueOf(unitNanos)));
			end = unit.end();
		}
		if (end == 0 || end != text.length() || nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
			return null;
		}
		return Duration.ofNanos(nanos.setScale(0, RoundingMode.CEILING).longValueExact());
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * How an item gives a lease. Its duration is whole milliseconds in digits; Go programs
 * write durations like "20s" or "1m30s" instead, and both are read. Its end by the
 * owner's clock is the record version number that it belongs to, and epoch milliseconds:
 * a client that does not know the attribute leaves it, and makes it void by its own
 * record version number.
 */
final class LeaseText {

	private static final char SEPARATOR = '|';

	private static final Pattern MILLISECONDS = Pattern.compile("[0-9]{1,19}");

	private static final Pattern EPOCH_MILLISECONDS = Pattern.compile("[0-9]{1,15}");

	private static final Pattern UNITS = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?)(ns|us|µs|ms|s|m|h)");

	private static final Map<String, Long> NANOS = Map.of("ns", 1L, "us", 1_000L, "µs", 1_000L, "ms", 1_000_000L, "s",
			1_000_000_000L, "m", 60_000_000_000L, "h", 3_600_000_000_000L);

	private LeaseText() {
	}

	static String write(Duration lease) {
		return Long.toString(lease.toMillis());
	}

	/** The lease, not negative, or {@code null} if the text is not a lease. */
	static @Nullable Duration read(String text) {
		return MILLISECONDS.matcher(text).matches() ? milliseconds(text) : units(text);
	}

	private static @Nullable Duration milliseconds(String digits) {
		try {
			return Duration.ofMillis(Long.parseLong(digits));
		}
		catch (NumberFormatException ex) {
			// Nineteen digits can be more than a long holds.
			return null;
		}
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

	static String writeEnd(String recordVersionNumber, Instant leaseEnds) {
		return recordVersionNumber + SEPARATOR + leaseEnds.toEpochMilli();
	}

	/**
	 * The end of the lease, or {@code null} if the attribute gives none for this version.
	 */
	static @Nullable Instant readEnd(String recordVersionNumber, @Nullable AttributeValue value) {
		if (value == null || value.s() == null || !value.s().startsWith(recordVersionNumber + SEPARATOR)) {
			return null;
		}
		String milliseconds = value.s().substring(recordVersionNumber.length() + 1);
		return EPOCH_MILLISECONDS.matcher(milliseconds).matches() ? Instant.ofEpochMilli(Long.parseLong(milliseconds))
				: null;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Measured durations, as a table of percentiles. */
final class Latencies {

	private static final double[] SHARES = { 0.5, 0.9, 0.99, 1 };

	private final List<String> rows = new ArrayList<>(
			List.of("", "| | number | p50 | p90 | p99 | longest |", "| --- | ---: | ---: | ---: | ---: | ---: |"));

	/** Adds a row. */
	Latencies add(String what, List<Duration> durations) {
		List<Duration> sorted = durations.stream().sorted().toList();
		this.rows.add("| " + what + " | " + sorted.size() + " | "
				+ DoubleStream.of(SHARES)
					.mapToObj((share) -> sorted.isEmpty() ? "" : milliseconds(at(sorted, share)))
					.collect(Collectors.joining(" | "))
				+ " |");
		return this;
	}

	/** The table, in Markdown. */
	List<String> rows() {
		return List.copyOf(this.rows);
	}

	/**
	 * Returns the least duration that a share of all of them does not exceed.
	 * @param sorted at least one
	 */
	static Duration at(List<Duration> sorted, double share) {
		return sorted.get((int) Math.max(0, Math.ceil(share * sorted.size()) - 1));
	}

	/** Formats a duration in milliseconds with one decimal. */
	static String milliseconds(Duration duration) {
		return String.format(Locale.ROOT, "%.1f ms", duration.toNanos() / 1e6);
	}

}

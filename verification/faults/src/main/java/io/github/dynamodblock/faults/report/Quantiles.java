/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.report;

import java.util.List;
import java.util.Locale;

/**
 * A few figures for many measured values.
 */
final class Quantiles {

	private final List<Double> sorted;

	Quantiles(List<Double> values) {
		this.sorted = values.stream().sorted().toList();
	}

	/** The least value that the share of all values does not exceed. */
	double at(double share) {
		return this.sorted.get((int) Math.max(0, Math.ceil(share * this.sorted.size()) - 1));
	}

	/** A row of a table: how many, p50, p99, most. */
	String row(String name, String unit) {
		if (this.sorted.isEmpty()) {
			return "| " + name + " | 0 | | | |";
		}
		return "| " + name + " | " + this.sorted.size() + " | " + value(0.5, unit) + " | " + value(0.99, unit) + " | "
				+ value(1, unit) + " |";
	}

	private String value(double share, String unit) {
		return String.format(Locale.ROOT, "%.3f %s", at(share), unit);
	}

}

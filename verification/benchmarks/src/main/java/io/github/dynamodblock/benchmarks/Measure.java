/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.Locale;

/**
 * A number of each client, a column of a table.
 */
enum Measure {

	CALLS(Part.CYCLE, "calls a cycle", "%.0f"),

	KILOBYTES(Part.CYCLE, "KB allocated a cycle", "%.0f"),

	CPU_ON_ALL(Part.CYCLE, "CPU a cycle, 16 threads, µs", "%.0f"),

	CPU_ON_ONE(Part.CYCLE, "CPU a cycle, 1 thread, µs", "%.0f"),

	CYCLES_A_SECOND(Part.CYCLE, "cycles/s, 16 threads, 16 keys", "%.0f"),

	MILLIS(Part.CYCLE, "ms a cycle, 1 thread, p50", "%.1f"),

	MILLIS_P99(Part.CYCLE, "ms a cycle, 1 thread, p99", "%.1f"),

	TWO_A_SECOND(Part.TWO_CLIENTS, "acquisitions/s", "%.1f"),

	TWO_CALLS(Part.TWO_CLIENTS, "calls per acquisition", "%.1f"),

	TWO_LONGEST(Part.TWO_CLIENTS, "longest wait, s", "%.2f"),

	TWO_RATIO(Part.TWO_CLIENTS, "busiest / idlest thread", "%.1f"),

	ONE_A_SECOND(Part.ONE_CLIENT, "acquisitions/s", "%.1f"),

	ONE_CALLS(Part.ONE_CLIENT, "calls per acquisition", "%.1f"),

	ONE_LONGEST(Part.ONE_CLIENT, "longest wait, s", "%.2f"),

	ONE_RATIO(Part.ONE_CLIENT, "busiest / idlest thread", "%.1f"),

	HAND_OFF(Part.HAND_OFF, "ms from release to grant, median", "%.0f"),

	WAITING_UNITS(Part.HAND_OFF, "units/s of a waiting client", "%.1f"),

	TAKEOVER(Part.TAKEOVER, "takeover, leases, median", "%.2f"),

	TAKEOVER_MOST(Part.TAKEOVER, "takeover, leases, longest", "%.2f"),

	LATE_RELEASE(Part.LATE_RELEASE, "frees or changes the next owner's lock", "%.0f");

	/** Values of {@link #LATE_RELEASE}. */
	static final double NEITHER = 0;

	static final double CHANGED = 1;

	static final double FREED = 2;

	private final Part part;

	private final String title;

	private final String format;

	Measure(Part part, String title, String format) {
		this.part = part;
		this.title = title;
		this.format = format;
	}

	Part part() {
		return this.part;
	}

	String title() {
		return this.title;
	}

	/** The column with the part of the page, where the column alone is ambiguous. */
	String fullTitle() {
		return switch (this.part) {
			case TWO_CLIENTS -> this.title + ", 2 clients x 8 threads, one key";
			case ONE_CLIENT -> this.title + ", 1 client x 16 threads, one key";
			default -> this.title;
		};
	}

	boolean moreIsBetter() {
		return this == CYCLES_A_SECOND || this == TWO_A_SECOND || this == ONE_A_SECOND;
	}

	/** Whether one value, as it is shown, is better than another one. */
	boolean isBetter(double value, double than) {
		return !text(value).equals(text(than)) && (moreIsBetter() ? value > than : value < than);
	}

	String text(double value) {
		if (this == LATE_RELEASE) {
			return (value == NEITHER) ? "no" : (value == FREED) ? "yes, frees it" : "yes, changes it";
		}
		return Double.isInfinite(value) ? "∞" : String.format(Locale.ROOT, this.format, value);
	}

	/**
	 * A table of the page.
	 */
	enum Part {

		CYCLE, TWO_CLIENTS, ONE_CLIENT, HAND_OFF, TAKEOVER, LATE_RELEASE

	}

}

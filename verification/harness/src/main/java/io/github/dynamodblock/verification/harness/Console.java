/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.harness;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Prints a timeline, one line an event, in the order of time. Events of different nodes
 * arrive a little out of order, so each waits a moment for those before it. Not
 * thread-safe.
 */
public final class Console {

	private static final Duration DELAY = Duration.ofMillis(500);

	private final PrintStream out;

	private final Queue<Line> timeline = new PriorityQueue<>(
			Comparator.comparing(Line::time).thenComparingLong(Line::number));

	private String format = "%s";

	private int columns = 1;

	private Consumer<List<String>> reader = (row) -> {
	};

	private long lines;

	/** Creates a console. */
	public Console(PrintStream out) {
		this.out = out;
	}

	/**
	 * Begins a timeline.
	 * @param columns the format of a line, whose first column is the time
	 * @param titles the titles of the columns
	 */
	public void beginTimeline(String columns, Object... titles) {
		this.format = columns;
		this.columns = titles.length;
		say(row(columns, titles));
	}

	/**
	 * Sets what receives the cells of each line of the timeline when it is printed.
	 * @param rowReader is called by the thread that uses this console
	 */
	public void read(Consumer<List<String>> rowReader) {
		this.reader = rowReader;
	}

	/**
	 * Adds a line to the timeline.
	 * @param time the time of the event
	 * @param cells the other columns; those that are missing at the end are empty
	 */
	public void add(Instant time, Object... cells) {
		List<String> row = new ArrayList<>(List.of(Times.timeOfDay(time)));
		Arrays.stream(cells).map(String::valueOf).forEach(row::add);
		while (row.size() < this.columns) {
			row.add("");
		}
		this.timeline.add(new Line(time, this.lines++, List.copyOf(row)));
	}

	/** Prints the lines of the timeline that have waited long enough. */
	public void refresh(Instant now) {
		printUntil(now.minus(DELAY));
	}

	/** Prints the whole timeline so far, and then a line. */
	public void say(String line) {
		printUntil(Instant.MAX);
		this.out.println(line);
		this.out.flush();
	}

	/**
	 * Formats a row of a table.
	 * @return the row, without white space at its end
	 */
	public static String row(String columns, Object... cells) {
		return String.format(Locale.ROOT, columns, cells).stripTrailing();
	}

	private void printUntil(Instant until) {
		for (Line line = this.timeline.peek(); line != null
				&& !line.time().isAfter(until); line = this.timeline.peek()) {
			this.out.println(row(this.format, line.cells().toArray()));
			this.reader.accept(line.cells());
			this.timeline.remove();
		}
		this.out.flush();
	}

	private record Line(Instant time, long number, List<String> cells) {
	}

}

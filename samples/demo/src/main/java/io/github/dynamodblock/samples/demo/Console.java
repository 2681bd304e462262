/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.Queue;

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
		say(row(columns, titles));
	}

	/**
	 * Adds a line to the timeline.
	 * @param time the time of the event
	 * @param cells the other columns
	 */
	public void add(Instant time, Object... cells) {
		Object[] all = new Object[cells.length + 1];
		all[0] = Times.timeOfDay(time);
		System.arraycopy(cells, 0, all, 1, cells.length);
		this.timeline.add(new Line(time, this.lines++, row(this.format, all)));
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
			this.out.println(line.text());
			this.timeline.remove();
		}
		this.out.flush();
	}

	private record Line(Instant time, long number, String text) {
	}

}

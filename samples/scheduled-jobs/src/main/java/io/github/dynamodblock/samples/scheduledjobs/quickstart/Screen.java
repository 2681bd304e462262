/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.Queue;

import io.github.dynamodblock.samples.support.Clock;

/**
 * Prints what happens, one line an event, in the order of time. Lines of different nodes
 * arrive a little out of order, so each waits a moment for those before it. Not
 * thread-safe.
 */
final class Screen {

	private static final Duration DELAY = Duration.ofMillis(500);

	private final PrintStream out;

	private final Queue<Line> lines = new PriorityQueue<>(
			Comparator.comparing(Line::time).thenComparingLong(Line::number));

	private long shown;

	Screen(PrintStream out) {
		this.out = out;
	}

	void heading() {
		this.out.println(format("time", "node", "what", "key", "fencing token"));
	}

	/**
	 * Shows something that happened to no lock.
	 */
	void show(Instant time, String node, String what) {
		show(time, node, what, "", 0);
	}

	void show(Instant time, String node, String what, String key, long token) {
		String text = format(Clock.show(time), node, what, key, (token != 0) ? Long.toString(token) : "");
		this.lines.add(new Line(time, this.shown++, text));
	}

	/**
	 * Prints what has waited long enough.
	 */
	void refresh(Instant now) {
		print(now.minus(DELAY));
	}

	/**
	 * Prints all that waits, then a line as it is.
	 */
	void say(String text) {
		print(Instant.MAX);
		this.out.println(text);
		this.out.flush();
	}

	private void print(Instant until) {
		for (Line line = this.lines.peek(); line != null && !line.time().isAfter(until); line = this.lines.peek()) {
			this.out.println(line.text());
			this.lines.remove();
		}
		this.out.flush();
	}

	private static String format(String time, String node, String what, String key, String token) {
		return String.format(Locale.ROOT, "%-12s  %-6s  %-32s  %-14s  %s", time, node, what, key, token)
			.stripTrailing();
	}

	private record Line(Instant time, long number, String text) {
	}

}

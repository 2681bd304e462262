/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.trial;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.github.dynamodblock.samples.support.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Prints what happens, one line an event, with the times of the ledger's clock. Not
 * thread-safe.
 */
final class Timeline {

	private final PrintStream out;

	private final Set<Long> leaders = new HashSet<>();

	private final Set<Long> refused = new HashSet<>();

	private @Nullable Entry latestWork;

	Timeline(PrintStream out) {
		this.out = out;
	}

	void heading() {
		this.out.println(format("time", "node", "what", "fencing token"));
	}

	/** Shows what was done to a node. */
	void show(Instant time, String node, String what) {
		show(time, node, what, 0);
	}

	/** Shows a line of the ledger, unless it is the same again. */
	void show(Entry entry) {
		switch (entry.line().what()) {
			case READY -> show(entry.time(), entry.node(), "is up");
			case GRANTED -> show(entry.time(), entry.node(), "is granted the leadership", entry.token());
			case WORK -> showWork(entry);
			case REVOKED -> show(entry.time(), entry.node(),
					"learns that it leads no more: " + entry.line().detail().toLowerCase(Locale.ROOT).replace('_', ' '),
					entry.token());
		}
	}

	private void showWork(Entry entry) {
		if (!entry.accepted()) {
			if (this.refused.add(entry.token())) {
				show(entry.time(), entry.node(), "IS REFUSED by the ledger", entry.token());
			}
			return;
		}
		if (this.leaders.add(entry.token())) {
			show(entry.time(), entry.node(), "begins to work" + since(this.latestWork, entry), entry.token());
		}
		this.latestWork = entry;
	}

	private static String since(@Nullable Entry before, Entry entry) {
		return (before != null) ? ", " + Clock.seconds(Duration.between(before.time(), entry.time()))
				+ " s after the last line of " + before.node() : "";
	}

	/**
	 * Shows who led from when to when.
	 * @param reigns the reigns, in their order
	 * @param ends what ended those that are known to have been ended, by their tokens
	 */
	void showReigns(List<Reign> reigns, Map<Long, String> ends) {
		this.out.println("leader  worked from   to            lines  refused  fencing token     until it");
		for (Reign reign : reigns) {
			this.out.println(String.format(Locale.ROOT, "%-6s  %-12s  %-12s  %5d  %7d  %-16d  %s", reign.node(),
					Clock.show(reign.from()), Clock.show(reign.to()), reign.lines(), reign.refused(), reign.token(),
					ends.getOrDefault(reign.token(), "lost the lock")));
		}
	}

	/** Prints a line as it is. */
	void say(String text) {
		this.out.println(text);
		this.out.flush();
	}

	private void show(Instant time, String node, String what, long token) {
		say(format(Clock.show(time), node, what, (token != 0) ? Long.toString(token) : ""));
	}

	private static String format(String time, String node, String what, String token) {
		return String.format(Locale.ROOT, "%-12s  %-6s  %-54s  %s", time, node, what, token).stripTrailing();
	}

}

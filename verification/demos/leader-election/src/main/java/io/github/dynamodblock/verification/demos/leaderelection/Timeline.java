/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.leaderelection;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.github.dynamodblock.verification.harness.Console;
import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.harness.Times;
import org.jspecify.annotations.Nullable;

/**
 * Prints what happens. Of the work of a leader it prints the begin alone.
 */
final class Timeline {

	private static final String TERMS = "%-6s  %-12s  %-12s  %5s  %7s  %-16s  %s";

	private final Set<Long> leaders = new HashSet<>();

	private final Set<Long> refused = new HashSet<>();

	private final Console console;

	private @Nullable Event latestWork;

	Timeline(Console console) {
		this.console = console;
		console.beginTimeline("%-12s  %-6s  %-54s  %s", "time", "node", "what", "fencing token");
	}

	/** Adds what was done to a node. */
	void add(String node, String what) {
		this.console.add(Instant.now(), node, what, "");
	}

	/** Adds an event of a node. */
	void add(Event event) {
		switch (event.what()) {
			case Event.READY -> add(event, "is up");
			case Event.ENDED ->
				this.console.add(event.time(), event.node(), "has ended with status " + event.number(0), "");
			case ObservedNode.GRANTED -> add(event, "is granted the leadership");
			case ObservedNode.REVOKED ->
				add(event, "learns that it no longer leads: " + event.subject().toLowerCase(Locale.ROOT));
			case ObservedNode.WORKS -> addWork(event);
			case ObservedNode.REFUSED -> {
				if (this.refused.add(event.token())) {
					add(event, "IS REFUSED by the ledger");
				}
			}
			default -> throw new IllegalArgumentException("Unknown event " + event);
		}
	}

	private void addWork(Event event) {
		if (this.leaders.add(event.token())) {
			Event before = this.latestWork;
			add(event, "begins to work" + ((before != null)
					? ", " + Times.seconds(before.time(), event.time()) + " after the last line of " + before.node()
					: ""));
		}
		this.latestWork = event;
	}

	private void add(Event event, String what) {
		this.console.add(event.time(), event.node(), what, (event.token() != 0) ? event.token() : "");
	}

	/**
	 * Prints which node led from when to when.
	 * @param terms the terms, in their order
	 * @param ends what ended those that the demo ended, by their tokens
	 */
	void printTerms(List<Term> terms, Map<Long, String> ends) {
		this.console
			.say(Console.row(TERMS, "leader", "worked from", "to", "lines", "refused", "fencing token", "until it"));
		for (Term term : terms) {
			this.console.say(Console.row(TERMS, term.node(), Times.timeOfDay(term.from()), Times.timeOfDay(term.to()),
					term.lines(), term.refused(), term.token(), ends.getOrDefault(term.token(), "lost the lock")));
		}
	}

}

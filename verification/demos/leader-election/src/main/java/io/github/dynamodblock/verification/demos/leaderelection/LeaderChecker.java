/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.leaderelection;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.harness.Verdict;

/**
 * Checks that there were never two leaders at a time. It uses what nodes read in the
 * ledger and wrote there, and neither a clock nor the lock table.
 */
final class LeaderChecker {

	private LeaderChecker() {
	}

	/**
	 * Checks what the nodes did.
	 * @param events all events of all nodes, those of each node in their order
	 * @return the verdict
	 */
	static Verdict check(List<Event> events) {
		List<Event> added = events.stream()
			.filter((event) -> event.is(ObservedNode.WORKS))
			.sorted(Comparator.comparing(LeaderChecker::line))
			.toList();
		List<Event> refused = events.stream().filter((event) -> event.is(ObservedNode.REFUSED)).toList();
		Map<Long, Event> leaders = new LinkedHashMap<>();
		List<String> problems = new ArrayList<>();
		for (Event event : events) {
			if (event.is(ObservedNode.GRANTED) || event.is(ObservedNode.WORKS) || event.is(ObservedNode.REFUSED)) {
				checkToken(event, leaders, problems);
			}
		}
		added.forEach((event) -> checkTokenRead(event, leaders, problems));
		// A line whose node had read no later token was refused after a pause between the
		// question and the line: the token prevented harm.
		refused.forEach((event) -> checkTokenRead(event, leaders, problems));
		for (int i = 1; i < added.size(); i++) {
			checkOrder(added.get(i - 1), added.get(i), problems);
		}
		if (!problems.isEmpty()) {
			return Verdict.failed("two leaders at a time: " + problems.get(0));
		}
		return Verdict.ok("never two leaders at a time: " + leaders.size() + " leaders one after the other, "
				+ added.size() + " lines in order, " + refused.size() + " refused");
	}

	private static void checkToken(Event event, Map<Long, Event> leaders, List<String> problems) {
		Event first = leaders.computeIfAbsent(event.token(), (token) -> event);
		if (!first.node().equals(event.node())) {
			problems.add(describe(event) + " and " + describe(first) + " have the same token");
		}
	}

	/** A node must not be told that it leads after it could read a later token. */
	private static void checkTokenRead(Event event, Map<Long, Event> leaders, List<String> problems) {
		long read = event.number(2);
		if (read > event.token()) {
			Event later = leaders.get(read);
			problems.add(describe(event) + " was certain that it leads after "
					+ ((later != null) ? describe(later) : "token " + read) + " had led");
		}
	}

	private static void checkOrder(Event before, Event after, List<String> problems) {
		if (after.token() < before.token()) {
			problems.add(describe(after) + " was added after " + describe(before));
		}
		if (line(after) == line(before)) {
			problems.add(describe(after) + " overwrote " + describe(before));
		}
	}

	private static long line(Event event) {
		return event.number(1);
	}

	private static String describe(Event event) {
		return event.node() + " (" + ((line(event) != 0) ? "line " + line(event) + ", " : "") + "token " + event.token()
				+ ")";
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.leaderelection;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.verification.harness.Event;

/**
 * The time in which a node worked as the leader, with one token.
 *
 * @param node the node
 * @param token the fencing token
 * @param from when it added its first line
 * @param to when it added its last line
 * @param lines how many lines it added
 * @param refused how many more came too late
 */
record Term(String node, long token, Instant from, Instant to, int lines, int refused) {

	/**
	 * Returns the terms in which a node worked, in the order of their first lines.
	 * @param events all events of all nodes
	 */
	static List<Term> of(List<Event> events) {
		Map<Long, List<Event>> work = new LinkedHashMap<>();
		events.stream()
			.filter((event) -> event.is(ObservedNode.WORKS) || event.is(ObservedNode.REFUSED))
			.forEach((event) -> work.computeIfAbsent(event.token(), (token) -> new ArrayList<>()).add(event));
		return work.values().stream().map(Term::ofOne).toList();
	}

	private static Term ofOne(List<Event> work) {
		List<Event> done = work.stream().filter((event) -> event.is(ObservedNode.WORKS)).toList();
		List<Event> bounds = done.isEmpty() ? work : done;
		Event first = bounds.get(0);
		Event last = bounds.get(bounds.size() - 1);
		return new Term(first.node(), first.token(), first.time(), last.time(), done.size(), work.size() - done.size());
	}

}

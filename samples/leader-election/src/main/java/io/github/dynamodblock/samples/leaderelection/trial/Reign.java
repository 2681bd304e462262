/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.trial;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.samples.leaderelection.ledger.Line.What;

/**
 * The time in which a node worked as the leader, under one token.
 *
 * @param node the node
 * @param token the fencing token
 * @param from when its first line came
 * @param to when its last line came
 * @param lines how many lines it wrote
 * @param refused how many more came too late
 */
record Reign(String node, long token, Instant from, Instant to, int lines, int refused) {

	/**
	 * The reigns in which something was done, in the order of their first lines.
	 * @param entries all lines of the ledger
	 */
	static List<Reign> of(List<Entry> entries) {
		Map<Long, List<Entry>> work = new LinkedHashMap<>();
		entries.stream()
			.filter((entry) -> entry.is(What.WORK))
			.forEach((entry) -> work.computeIfAbsent(entry.token(), (token) -> new ArrayList<>()).add(entry));
		return work.values().stream().map(Reign::ofOne).toList();
	}

	private static Reign ofOne(List<Entry> work) {
		List<Entry> done = work.stream().filter(Entry::isDoneWork).toList();
		List<Entry> shown = done.isEmpty() ? work : done;
		Entry first = shown.get(0);
		Entry last = shown.get(shown.size() - 1);
		return new Reign(first.node(), first.token(), first.time(), last.time(), done.size(),
				work.size() - done.size());
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.trial;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.dynamodblock.samples.leaderelection.ledger.Line.What;
import org.jspecify.annotations.Nullable;

/**
 * Whether there were ever two leaders at a time. It comes of the ledger's lines and their
 * order alone: no clock is asked, nor what the lock table or the election says.
 *
 * @param passed whether there never were
 * @param line what is said about it, beginning with {@code OK} or {@code FAILED}
 */
record Verdict(boolean passed, String line) {

	/**
	 * Judges what the nodes did.
	 * @param entries all lines of the ledger, in their order
	 * @return the verdict
	 */
	static Verdict of(List<Entry> entries) {
		Map<Long, Entry> leaders = new LinkedHashMap<>();
		Entry latest = null;
		int refused = 0;
		for (Entry entry : entries) {
			if (!entry.is(What.GRANTED) && !entry.is(What.WORK)) {
				continue;
			}
			Optional<String> problem = problem(entry, leaders, latest);
			if (problem.isPresent()) {
				return new Verdict(false, "FAILED two leaders at a time: " + problem.get());
			}
			leaders.putIfAbsent(entry.token(), entry);
			latest = entry.isDoneWork() ? entry : latest;
			refused += (entry.is(What.WORK) && !entry.accepted()) ? 1 : 0;
		}
		long done = entries.stream().filter(Entry::isDoneWork).count();
		return new Verdict(true, "OK never two leaders at a time: " + leaders.size() + " leaders one after the other, "
				+ done + " lines in order, " + refused + " refused");
	}

	private static Optional<String> problem(Entry entry, Map<Long, Entry> leaders, @Nullable Entry latest) {
		Entry namesake = leaders.get(entry.token());
		if (namesake != null && !namesake.node().equals(entry.node())) {
			return Optional.of(describe(entry) + " and " + describe(namesake) + " have one token");
		}
		if (!entry.is(What.WORK)) {
			return Optional.empty();
		}
		if (entry.accepted() && latest != null && latest.token() > entry.token()) {
			return Optional.of(describe(entry) + " was done after " + describe(latest));
		}
		// A line that was read before the successor came, and refused, came of a pause
		// after the question: the token has kept it from doing harm.
		return leaders.values()
			.stream()
			.filter((later) -> later.token() > entry.token() && later.number() <= entry.line().read())
			.findFirst()
			.map((later) -> describe(entry) + " was sure to lead after " + describe(later) + " had led");
	}

	private static String describe(Entry entry) {
		return entry.node() + " (line " + entry.number() + ", token " + entry.token() + ")";
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * What became of messages that are numbered from zero.
 *
 * @param lost those that never came out
 * @param doubled those that came out more than once
 */
record Tally(SortedSet<Integer> lost, SortedSet<Integer> doubled) {

	/** Every message came out once. */
	static final Tally COMPLETE = new Tally(new TreeSet<>(), new TreeSet<>());

	static Tally of(int messages, Collection<Integer> released) {
		Set<Integer> seen = new HashSet<>();
		SortedSet<Integer> doubled = new TreeSet<>();
		for (Integer id : released) {
			if (!seen.add(id)) {
				doubled.add(id);
			}
		}
		SortedSet<Integer> lost = new TreeSet<>(IntStream.range(0, messages).boxed().toList());
		lost.removeAll(seen);
		return new Tally(lost, doubled);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.nemesis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Deals faults: each kind as often as it weighs, in an order of the seed's, then anew. So
 * even a short run sees them all.
 */
final class Deck {

	private final List<FaultKind> all = new ArrayList<>();

	private final Deque<FaultKind> cards = new ArrayDeque<>();

	private final Random random;

	Deck(Set<FaultKind> kinds, Random random) {
		for (FaultKind kind : kinds) {
			this.all.addAll(Collections.nCopies(kind.weight(), kind));
		}
		if (this.all.isEmpty()) {
			throw new IllegalArgumentException("kinds is " + kinds + "; at least one must have a weight");
		}
		this.random = random;
	}

	FaultKind next() {
		if (this.cards.isEmpty()) {
			List<FaultKind> shuffled = new ArrayList<>(this.all);
			Collections.shuffle(shuffled, this.random);
			this.cards.addAll(shuffled);
		}
		return this.cards.remove();
	}

}

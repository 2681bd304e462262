/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.dynamodblock.faults.checker.GuardedWrite.Outcome;

/**
 * What became of the updates of all guarded counters: what workers reported, and what was
 * committed, in the order of the commits. The history's monitor guards it.
 */
final class GuardedCounters {

	private final Map<String, GuardedWrite> writes = new HashMap<>();

	private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);

	private final Map<Integer, List<CommittedUpdate>> committed = new TreeMap<>();

	void add(GuardedWrite write) {
		this.writes.put(write.update(), write);
		this.outcomes.merge(write.outcome(), 1L, Long::sum);
	}

	void committed(int lock, List<CommittedUpdate> updates) {
		this.committed.put(lock, List.copyOf(updates));
	}

	/** Whether updates of this grant are sent with a condition on the lock. */
	boolean isGuarded(CommittedUpdate update) {
		GuardedWrite write = this.writes.get(update.id());
		return write == null || write.guarded();
	}

	boolean isRefused(CommittedUpdate update) {
		GuardedWrite write = this.writes.get(update.id());
		return write != null && write.outcome() == Outcome.REFUSED;
	}

	/** The acknowledged updates of the counters whose commits are known. */
	List<GuardedWrite> acknowledged() {
		List<GuardedWrite> found = new ArrayList<>();
		this.writes.values().forEach((write) -> {
			if (write.outcome() == Outcome.ACKNOWLEDGED && this.committed.containsKey(write.lock())) {
				found.add(write);
			}
		});
		return found;
	}

	/** The commits of each lock's counter, in their order. */
	Map<Integer, List<CommittedUpdate>> committed() {
		return this.committed;
	}

	long count(Outcome outcome) {
		return this.outcomes.getOrDefault(outcome, 0L);
	}

	long committedCount() {
		return this.committed.values().stream().mapToLong(List::size).sum();
	}

}

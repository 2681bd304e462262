/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.jobs.Run.End;
import io.github.dynamodblock.verification.jobs.node.TrialNode;

/**
 * What the nodes of one trial have reported. Not thread-safe.
 */
final class History {

	private final List<Run> runs = new ArrayList<>();

	private final List<Event> others = new ArrayList<>();

	/** When each node that has ended did so. */
	private final Map<String, Instant> ends = new TreeMap<>();

	/** Adds an event. Each node's events come in their order. */
	void add(Event event) {
		switch (event.what()) {
			case TrialNode.BEGINS -> this.runs.add(Run.begin(event));
			case TrialNode.ENDS -> end((run) -> run.isEndedBy(event), event.time(), End.ENDED);
			case TrialNode.INTERRUPTED -> end((run) -> run.isEndedBy(event), event.time(), End.INTERRUPTED);
			case Event.ENDED -> {
				this.ends.put(event.node(), event.time());
				end((run) -> run.node().equals(event.node()) && run.is(End.NONE), event.time(), End.KILLED);
			}
			default -> this.others.add(event);
		}
	}

	private void end(Predicate<Run> which, Instant time, End how) {
		this.runs.replaceAll((run) -> which.test(run) ? run.end(time, how) : run);
	}

	/** Returns all runs, in the order in which they were reported. */
	List<Run> runs() {
		return List.copyOf(this.runs);
	}

	/** Returns the runs that have not ended. */
	Stream<Run> running() {
		return this.runs.stream().filter((run) -> run.is(End.NONE));
	}

	/**
	 * Returns a run with its end, if it has one by now.
	 * @param run the run as it was when it began
	 */
	Run now(Run run) {
		return this.runs.stream()
			.filter((other) -> other.node().equals(run.node()) && other.begin().equals(run.begin())
					&& other.job().equals(run.job()))
			.findFirst()
			.orElse(run);
	}

	/** Returns the number of runs of different ticks after a time that have ended. */
	long ended(Instant after) {
		return this.runs.stream()
			.filter((run) -> run.is(End.ENDED) && run.tick().isAfter(after))
			.map(Run::tick)
			.distinct()
			.count();
	}

	/** Returns the latest tick with a run that has ended. */
	Instant lastEnded() {
		return this.runs.stream()
			.filter((run) -> run.is(End.ENDED))
			.map(Run::tick)
			.max(Instant::compareTo)
			.orElse(Instant.MIN);
	}

	/** Returns the ticks that nodes reported in events of a kind. */
	Set<Instant> ticks(String what) {
		Set<Instant> ticks = new HashSet<>();
		of(what).forEach((event) -> event.numbers().forEach((time) -> ticks.add(Instant.ofEpochMilli(time))));
		return ticks;
	}

	/** Returns the other events of a kind. */
	Stream<Event> of(String what) {
		return this.others.stream().filter((event) -> event.is(what));
	}

	/** Returns when a node has ended, if it has. */
	Optional<Instant> end(String node) {
		return Optional.ofNullable(this.ends.get(node));
	}

}

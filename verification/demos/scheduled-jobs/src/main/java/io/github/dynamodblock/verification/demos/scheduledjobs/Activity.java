/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.harness.Times;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes do at their locks, from their events. Not thread-safe.
 */
final class Activity {

	/** Longer than a short report. */
	private static final Duration LONG = Duration.ofSeconds(1);

	/** Well before the end of a long report, and a lease before the job's next tick. */
	private static final Duration TOO_LONG = Duration.ofMillis(2500);

	/** Long enough for a waiting node to have read who holds the lock. */
	private static final Duration SETTLED = Duration.ofMillis(250);

	/** Long enough for the release after a run's last statement, under load too. */
	private static final Duration RELEASED = Duration.ofMillis(500);

	/** A clock that is ahead starts a tick early. */
	private static final Duration BEFORE_A_TICK = Duration.ofMillis(600);

	private static final Duration LONGEST_INTERVAL = Duration.ofMinutes(1);

	private final List<Section> sections = new ArrayList<>();

	/** The last section of each lock. */
	private final Map<String, Section> last = new HashMap<>();

	private final Set<Tick> missed = new HashSet<>();

	private final Map<NodeAndKey, Event> latest = new LinkedHashMap<>();

	/**
	 * Adds an event. Each node's events come in their order, those of different nodes in
	 * any.
	 * @return the event before it of the same node at the same lock, or {@code null} if
	 * it is the first or a missed tick
	 * @throws IllegalArgumentException if it does not follow from that event
	 */
	@Nullable Event add(Event event) {
		if (event.is(ObservedNode.MISSED)) {
			this.missed.add(Tick.of(event));
			return null;
		}
		Event before = this.latest.put(new NodeAndKey(event.node(), event.subject()), event);
		Event begin = (before != null && before.is(ObservedNode.BEGINS)) ? before : null;
		if (event.is(ObservedNode.ENDS) || event.is(ObservedNode.STOPS)) {
			if (begin == null || begin.token() != event.token()) {
				throw new IllegalArgumentException(event.node() + " ended " + event.subject() + " with token "
						+ event.token() + " at " + Times.timeOfDay(event.time()) + ", but did not begin it");
			}
			add(Section.of(begin, event.time(), event.is(ObservedNode.STOPS)));
		}
		else if (begin != null) {
			throw new IllegalArgumentException(event.node() + " " + event.what() + " " + event.subject() + " at "
					+ Times.timeOfDay(event.time()) + ", but has worked on it since " + Times.timeOfDay(begin.time()));
		}
		return before;
	}

	/**
	 * Ends the sections that a node had not ended itself.
	 * @param node a node that has ended
	 * @param time when it ended
	 * @return the sections that this ended
	 */
	List<Section> nodeEnded(String node, Instant time) {
		List<Section> cutShort = this.latest.values()
			.stream()
			.filter((event) -> event.node().equals(node) && event.is(ObservedNode.BEGINS))
			.map((begin) -> Section.of(begin, time, true))
			.toList();
		this.latest.keySet().removeIf((place) -> place.node().equals(node));
		cutShort.forEach(this::add);
		return cutShort;
	}

	private void add(Section section) {
		this.sections.add(section);
		this.last.put(section.key(), section);
	}

	/** Returns all sections that have ended since the last {@link #forget()}. */
	List<Section> sections() {
		return List.copyOf(this.sections);
	}

	/** Returns all ticks reported as missed since the last {@link #forget()}. */
	Set<Tick> missed() {
		return Set.copyOf(this.missed);
	}

	/** Forgets what only a verdict needs, so that the nodes can run indefinitely. */
	void forget() {
		this.sections.clear();
		this.missed.clear();
	}

	/** Returns whether a run of a job has begun and ended since a time. */
	boolean hasRun(Job job, Instant since) {
		Section run = this.last.get(job.key());
		return run != null && run.begin().isAfter(since);
	}

	/**
	 * Returns whether jobs have run their latest tick to its end, and none is due soon: a
	 * kill or a stop interrupts no run of them.
	 */
	boolean isQuiet(Collection<Job> jobs, Instant now) {
		return jobs.stream().allMatch((job) -> isQuiet(job, now));
	}

	private boolean isQuiet(Job job, Instant now) {
		List<Instant> due = job.ticks(now.minus(LONGEST_INTERVAL), now);
		Section run = this.last.get(job.key());
		return run != null && run.isRunOf(due.get(due.size() - 1), now.minus(RELEASED))
				&& job.next(now).isAfter(now.plus(BEFORE_A_TICK))
				&& this.latest.values()
					.stream()
					.noneMatch((event) -> event.subject().equals(job.key()) && event.is(ObservedNode.BEGINS));
	}

	/**
	 * Finds a node that is in the middle of a long report, and of work under another lock
	 * for which a second node waits.
	 */
	Optional<String> nodeToKill(Instant now) {
		return this.latest.values()
			.stream()
			.filter((event) -> event.subject().equals(Job.REPORT.key()) && is(ObservedNode.BEGINS, event, now, LONG)
					&& event.time().isAfter(now.minus(TOO_LONG)))
			.map(Event::node)
			.filter((node) -> holdsAnAwaitedLock(node, now))
			.findFirst();
	}

	private boolean holdsAnAwaitedLock(String node, Instant now) {
		return this.latest.values()
			.stream()
			.filter((event) -> event.node().equals(node) && !Job.isJob(event.subject()))
			.filter((event) -> is(ObservedNode.BEGINS, event, now, SETTLED))
			.anyMatch((event) -> isAwaited(event.subject(), now));
	}

	private boolean isAwaited(String key, Instant now) {
		return this.latest.values()
			.stream()
			.anyMatch((event) -> event.subject().equals(key) && is(ObservedNode.WAITS, event, now, SETTLED));
	}

	private static boolean is(String what, Event event, Instant now, Duration atLeast) {
		return event.is(what) && !event.time().isAfter(now.minus(atLeast));
	}

	private record NodeAndKey(String node, String key) {
	}

}

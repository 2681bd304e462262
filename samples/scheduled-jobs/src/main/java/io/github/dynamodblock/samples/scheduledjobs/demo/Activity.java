/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.dynamodblock.samples.demo.Event;
import io.github.dynamodblock.samples.demo.Times;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes do at their locks, from their events. Not thread-safe.
 */
final class Activity {

	/** Longer than any short run of the job. */
	private static final Duration LONG = Duration.ofSeconds(3);

	/** Long enough for a waiting node to have read who holds the lock. */
	private static final Duration SETTLED = Duration.ofMillis(250);

	/** Work on an account takes longer, so that a kill comes before its end. */
	private static final Duration FAR_FROM_THE_END = Duration.ofMillis(750);

	private final List<Section> sections = new ArrayList<>();

	private final Map<NodeAndKey, Event> latest = new LinkedHashMap<>();

	/**
	 * Adds an event. Each node's events come in their order, those of different nodes in
	 * any.
	 * @return the event before it of the same node at the same lock, or {@code null} if
	 * it is the first
	 * @throws IllegalArgumentException if it does not follow from that event
	 */
	@Nullable Event add(Event event) {
		Event before = this.latest.put(new NodeAndKey(event.node(), event.subject()), event);
		Event begin = (before != null && before.is(ObservedNode.BEGINS)) ? before : null;
		if (event.is(ObservedNode.ENDS)) {
			if (begin == null || begin.token() != event.token()) {
				throw new IllegalArgumentException(event.node() + " ended " + event.subject() + " with token "
						+ event.token() + " at " + Times.timeOfDay(event.time()) + ", but did not begin it");
			}
			this.sections.add(section(begin, event.time(), false));
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
			.map((begin) -> section(begin, time, true))
			.toList();
		this.latest.keySet().removeIf((place) -> place.node().equals(node));
		this.sections.addAll(cutShort);
		return cutShort;
	}

	private static Section section(Event begin, Instant end, boolean cutShort) {
		return new Section(begin.subject(), begin.node(), begin.token(), begin.time(), end, cutShort);
	}

	/** Returns all sections that have ended. */
	List<Section> sections() {
		return List.copyOf(this.sections);
	}

	/**
	 * Finds a node that is in the middle of a long run of the job, and of work under
	 * another lock for which a second node waits.
	 */
	Optional<String> nodeToKill(Instant now) {
		return this.latest.values()
			.stream()
			.filter((event) -> event.subject().equals(LockChecker.JOB) && is(ObservedNode.BEGINS, event, now, LONG))
			.map(Event::node)
			.filter((node) -> holdsAnAwaitedLock(node, now))
			.findFirst();
	}

	private boolean holdsAnAwaitedLock(String node, Instant now) {
		return this.latest.values()
			.stream()
			.filter((event) -> event.node().equals(node) && !event.subject().equals(LockChecker.JOB))
			.filter((event) -> is(ObservedNode.BEGINS, event, now, SETTLED)
					&& event.time().isAfter(now.minus(FAR_FROM_THE_END)))
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

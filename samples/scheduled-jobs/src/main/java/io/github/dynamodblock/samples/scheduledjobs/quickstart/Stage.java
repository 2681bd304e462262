/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import io.github.dynamodblock.samples.scheduledjobs.journal.Event;
import io.github.dynamodblock.samples.scheduledjobs.journal.Event.What;
import org.jspecify.annotations.Nullable;

/**
 * Who is where at this moment: finds the node whose death there is something to learn
 * from. Not thread-safe.
 */
final class Stage {

	/** Longer than any short run of the job. */
	private static final Duration LONG = Duration.ofSeconds(3);

	/** Long enough for a waiter to have seen who holds the lock. */
	private static final Duration SETTLED = Duration.ofMillis(250);

	/** Work on an account takes longer: the kill comes before its end. */
	private static final Duration FAR_FROM_THE_END = Duration.ofMillis(750);

	private final String job;

	private final Map<Place, Event> latest = new LinkedHashMap<>();

	/**
	 * Makes an empty stage.
	 * @param job the key of the job's lock
	 */
	Stage(String job) {
		this.job = job;
	}

	/**
	 * Takes in an event.
	 * @return the event before it at the same place, or {@code null} if it is the first
	 */
	@Nullable Event add(Event event) {
		return this.latest.put(new Place(event.node(), event.key()), event);
	}

	void nodeEnded(String node) {
		this.latest.keySet().removeIf((place) -> place.node().equals(node));
	}

	/**
	 * Finds a node that is in the middle of a long run of the job and of another lock,
	 * for which a second node waits.
	 * @return the node's name
	 */
	Optional<String> nodeToKill(Instant now) {
		return this.latest.values()
			.stream()
			.filter((event) -> event.key().equals(this.job) && is(What.BEGINS, event, now, LONG))
			.map(Event::node)
			.filter((node) -> holdsWhatOthersWaitFor(node, now))
			.findFirst();
	}

	private boolean holdsWhatOthersWaitFor(String node, Instant now) {
		return this.latest.values()
			.stream()
			.filter((event) -> event.node().equals(node) && !event.key().equals(this.job))
			.filter((event) -> is(What.BEGINS, event, now, SETTLED)
					&& event.time().isAfter(now.minus(FAR_FROM_THE_END)))
			.anyMatch((event) -> isWaitedFor(event.key(), now));
	}

	private boolean isWaitedFor(String key, Instant now) {
		return this.latest.values()
			.stream()
			.anyMatch((event) -> event.key().equals(key) && is(What.WAITS, event, now, SETTLED));
	}

	private static boolean is(What what, Event event, Instant now, Duration atLeast) {
		return event.what() == what && !event.time().isAfter(now.minus(atLeast));
	}

}

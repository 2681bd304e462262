/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.samples.scheduledjobs.journal.Event;
import io.github.dynamodblock.samples.support.Clock;

/**
 * Puts together the sections that all nodes wrote down. Not thread-safe.
 */
final class History {

	private final List<Section> ended = new ArrayList<>();

	private final Map<Place, Event> open = new LinkedHashMap<>();

	/**
	 * Takes in an event. Each node's events come in their order; those of different nodes
	 * in any.
	 * @throws IllegalArgumentException if it does not follow from the node's earlier
	 * events
	 */
	void add(Event event) {
		Place place = new Place(event.node(), event.key());
		switch (event.what()) {
			case BEGINS -> {
				Event begin = this.open.putIfAbsent(place, event);
				if (begin != null) {
					throw new IllegalArgumentException(event.node() + " began " + event.key() + " at "
							+ Clock.show(event.time()) + ", but is there since " + Clock.show(begin.time()));
				}
			}
			case ENDS -> {
				Event begin = this.open.remove(place);
				if (begin == null || begin.token() != event.token()) {
					throw new IllegalArgumentException(event.node() + " ended " + event.key() + " with token "
							+ event.token() + " at " + Clock.show(event.time()) + ", but did not begin it");
				}
				this.ended.add(section(begin, event.time(), false));
			}
			case READY, WAITS, GOES_WITHOUT -> {
				// Outside of every lock.
			}
		}
	}

	/**
	 * Ends whatever a node had not ended itself.
	 * @param node a node that has gone
	 * @param time when it was seen to have gone
	 * @return the sections that this ended
	 */
	List<Section> nodeEnded(String node, Instant time) {
		List<Section> cutShort = this.open.values()
			.stream()
			.filter((begin) -> begin.node().equals(node))
			.map((begin) -> section(begin, time, true))
			.toList();
		this.open.keySet().removeIf((place) -> place.node().equals(node));
		this.ended.addAll(cutShort);
		return cutShort;
	}

	/**
	 * All sections that have ended.
	 */
	List<Section> sections() {
		return List.copyOf(this.ended);
	}

	private static Section section(Event begin, Instant end, boolean cutShort) {
		return new Section(begin.key(), begin.node(), begin.token(), begin.time(), end, cutShort);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.dynamodblock.verification.harness.Event;

/**
 * One time that a process held the lock. All processes read the same clock.
 *
 * @param node the process
 * @param token the fencing token
 * @param granted just after it was granted
 * @param releasing just before its release began
 */
record Hold(String node, long token, Instant granted, Instant releasing) {

	/**
	 * Pairs grants with releases.
	 * @param granted the grants of all processes
	 * @param releasing the releases of all processes; a lock without one is held until
	 * {@link Instant#MAX}
	 * @return the holds, in the order of their grants
	 */
	static List<Hold> pair(List<Event> granted, List<Event> releasing) {
		Map<String, Instant> ends = new HashMap<>();
		releasing.forEach((event) -> ends.putIfAbsent(event.node() + " " + event.token(), event.time()));
		return granted.stream()
			.map((event) -> new Hold(event.node(), event.token(), event.time(),
					ends.getOrDefault(event.node() + " " + event.token(), Instant.MAX)))
			.sorted(Comparator.comparing(Hold::granted))
			.toList();
	}

	/**
	 * Returns what must not be among holds of one lock: overlaps, and fencing tokens that
	 * do not increase.
	 * @param holds in the order of their grants
	 */
	static List<String> violations(List<Hold> holds) {
		List<String> violations = new ArrayList<>();
		for (int i = 1; i < holds.size(); i++) {
			Hold hold = holds.get(i);
			Hold before = holds.get(i - 1);
			Optional<Hold> holder = holds.subList(0, i)
				.stream()
				.filter((earlier) -> earlier.releasing.isAfter(hold.granted))
				.findFirst();
			holder.ifPresent((other) -> violations.add(hold.node + " was granted the lock with token " + hold.token
					+ " while " + other.node + " held it with token " + other.token));
			if (hold.token <= before.token) {
				violations.add(hold.node + " was granted the lock with token " + hold.token + " after " + before.node
						+ " with token " + before.token);
			}
		}
		return violations;
	}

	/** Returns the times from a release to the next grant to another process. */
	static List<Duration> handOffs(List<Hold> holds) {
		return Stream.iterate(1, (i) -> i < holds.size(), (i) -> i + 1)
			.filter((i) -> !holds.get(i).node.equals(holds.get(i - 1).node))
			.map((i) -> Duration.between(holds.get(i - 1).releasing, holds.get(i).granted))
			.toList();
	}

}

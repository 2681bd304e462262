/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.leaderelection;

import java.time.Instant;
import java.util.List;

import io.github.dynamodblock.verification.harness.Event;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.verification.demos.leaderelection.ObservedNode.GRANTED;
import static io.github.dynamodblock.verification.demos.leaderelection.ObservedNode.REFUSED;
import static io.github.dynamodblock.verification.demos.leaderelection.ObservedNode.REVOKED;
import static io.github.dynamodblock.verification.demos.leaderelection.ObservedNode.WORKS;
import static org.assertj.core.api.Assertions.assertThat;

class TermTests {

	@Test
	void termLastsFromItsFirstToItsLastAddedLine() {
		List<Event> events = List.of(event(1, "first", GRANTED, 5), event(2, "first", WORKS, 5),
				event(3, "first", WORKS, 5), event(4, "second", WORKS, 6), event(5, "first", REFUSED, 5),
				event(6, "first", REVOKED, 5));

		assertThat(Term.of(events)).containsExactly(new Term("first", 5, time(2), time(3), 2, 1),
				new Term("second", 6, time(4), time(4), 1, 0));
	}

	private static Event event(int second, String node, String what, long token) {
		return new Event(time(second), node, what, "", List.of(token));
	}

	private static Instant time(int second) {
		return Instant.ofEpochSecond(second);
	}

}

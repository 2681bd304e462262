/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.harness;

import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EventTests {

	private static final Instant TIME = Instant.parse("2026-05-04T03:02:01.123456Z");

	@Test
	void lineIsReadBackAsTheSameEvent() {
		Event event = new Event(TIME, "node-1", "BEGINS", "account:alice", List.of(1_777_777_777_777_777L, 3L));

		assertThat(Event.isEvent(event.toLine())).isTrue();
		assertThat(Event.parse(event.toLine())).isEqualTo(event);
	}

	@Test
	void eventWithoutSubjectAndNumbersIsReadBackAsTheSameEvent() {
		Event event = new Event(TIME, "node-1", Event.READY, "", List.of());

		assertThat(Event.parse(event.toLine())).isEqualTo(event);
		assertThat(event.token()).isZero();
	}

	@Test
	void lineOfTheLogIsNoEvent() {
		assertThat(Event.isEvent("2026-05-04 03:02:01 INFO started")).isFalse();
	}

}

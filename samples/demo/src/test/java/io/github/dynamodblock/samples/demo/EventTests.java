/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.demo;

import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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

	@ParameterizedTest
	@ValueSource(strings = { "@event", "@event 1 node-1 BEGINS", "@event x node-1 BEGINS a 1",
			"@event 1 node-1 BEGINS a one", "@event 1 node-1 BEGINS a " })
	void tornLineIsRefusedWithItsText(String line) {
		assertThatIllegalArgumentException().isThrownBy(() -> Event.parse(line)).withMessageContaining(line);
	}

	@Test
	void nodeOfTwoWordsIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new Event(TIME, "my node", "BEGINS", "account:alice", List.of()))
			.withMessageContaining("\"my node\"");
	}

}

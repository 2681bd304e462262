/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.journal;

import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class EventTests {

	private static final Instant TIME = Instant.parse("2026-05-04T03:02:01.123456Z");

	@Test
	void lineIsReadBackAsTheSameEvent() {
		Event event = new Event(TIME, "node-1", Event.What.BEGINS, "account:alice", 1_777_777_777_777_777L);

		assertThat(Event.isEvent(event.toLine())).isTrue();
		assertThat(Event.parse(event.toLine())).isEqualTo(event);
	}

	@Test
	void eventWithoutKeyIsReadBackAsTheSameEvent() {
		Event event = new Event(TIME, "node-1", Event.What.READY, "", 0);

		assertThat(Event.parse(event.toLine())).isEqualTo(event);
	}

	@Test
	void lineOfTheLogIsNoEvent() {
		assertThat(Event.isEvent("2026-05-04 03:02:01 INFO started")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "@journal", "@journal 1 node-1 BEGINS account:alice", "@journal x node-1 BEGINS a 1",
			"@journal 1 node-1 DANCES a 1", "@journal 1 node-1 BEGINS a one", "@journal 1 node-1 BEGINS a 1 2" })
	void tornLineIsRefusedWithItsText(String line) {
		assertThatIllegalArgumentException().isThrownBy(() -> Event.parse(line)).withMessageContaining(line);
	}

	@Test
	void nodeOfTwoWordsIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new Event(TIME, "my node", Event.What.BEGINS, "account:alice", 1))
			.withMessageContaining("node")
			.withMessageContaining("\"my node\"");
	}

}

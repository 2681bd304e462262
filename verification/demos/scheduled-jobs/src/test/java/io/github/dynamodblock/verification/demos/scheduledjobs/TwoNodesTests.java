/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class TwoNodesTests {

	private final List<Event> reported = new CopyOnWriteArrayList<>();

	@Test
	void anAccountIsWithOneNodeAtATimeAndGoesFromOneToTheOther() {
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();
				ConfigurableApplicationContext first = LocalNode.start("first", dynamoDb, this.reported::add);
				ConfigurableApplicationContext second = LocalNode.start("second", dynamoDb, this.reported::add)) {
			await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
				assertThat(first.isActive() && second.isActive()).isTrue();
				assertThat(begins()).extracting(Event::node).contains("first", "second");
			});
		}
		List<Event> events = events();
		assertThat(events).isNotEmpty();
		for (int i = 0; i < events.size(); i += 2) {
			Event begin = events.get(i);
			Event end = events.get(i + 1);
			assertThat(begin.what()).isEqualTo(ObservedNode.BEGINS);
			assertThat(end.what()).isIn(ObservedNode.ENDS, ObservedNode.STOPS);
			assertThat(end)
				.isEqualTo(new Event(end.time(), begin.node(), end.what(), begin.subject(), begin.numbers()));
		}
		assertThat(begins()).extracting(Event::token).isSorted().doesNotHaveDuplicates().doesNotContain(0L);
	}

	private List<Event> begins() {
		return events().stream().filter((event) -> event.is(ObservedNode.BEGINS)).toList();
	}

	private List<Event> events() {
		return this.reported.stream()
			.filter((event) -> event.subject().equals(Traffic.lockOf("alice")) && !event.is(ObservedNode.WAITS)
					&& !event.is(ObservedNode.GIVES_UP))
			.toList();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.demo;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.dynamodblock.samples.demo.ApplicationNode;
import io.github.dynamodblock.samples.demo.Event;
import io.github.dynamodblock.samples.demo.Reporter;
import io.github.dynamodblock.samples.scheduledjobs.ScheduledJobsApplication;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class TwoNodesTests {

	private final List<Event> reported = new CopyOnWriteArrayList<>();

	@Test
	void anAccountIsWithOneNodeAtATimeAndGoesFromOneToTheOther() {
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();
				ConfigurableApplicationContext first = start("first", dynamoDb);
				ConfigurableApplicationContext second = start("second", dynamoDb)) {
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
			assertThat(end)
				.isEqualTo(new Event(end.time(), begin.node(), ObservedNode.ENDS, begin.subject(), begin.numbers()));
		}
		assertThat(begins()).extracting(Event::token).isSorted().doesNotHaveDuplicates().doesNotContain(0L);
	}

	/** With a lease that outlasts the pauses of a busy build machine. */
	private ConfigurableApplicationContext start(String node, EmbeddedDynamoDb dynamoDb) {
		return ApplicationNode
			.application(new Reporter(node, this.reported::add), ScheduledJobsApplication.class, ObservedNode.class)
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(DynamoDbClient.class,
					() -> dynamoDb.newClient((client) -> {
					})))
			.run("--dynamodb-lock.owner-name=" + node, "--dynamodb-lock.lease-duration=1m",
					"--dynamodb-lock.heartbeat-period=10s");
	}

	private List<Event> begins() {
		return events().stream().filter((event) -> event.is(ObservedNode.BEGINS)).toList();
	}

	private List<Event> events() {
		return this.reported.stream()
			.filter((event) -> event.subject().equals(Traffic.lockOf("alice"))
					&& (event.is(ObservedNode.BEGINS) || event.is(ObservedNode.ENDS)))
			.toList();
	}

}

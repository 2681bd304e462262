/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs;

import java.time.Duration;
import java.util.List;

import io.github.dynamodblock.samples.scheduledjobs.journal.Event;
import io.github.dynamodblock.samples.scheduledjobs.journal.Event.What;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
class TwoNodesTests {

	private static final String ACCOUNT = "account:alice";

	@Test
	void anAccountIsWithOneNodeAtATimeAndGoesFromOneToTheOther(CapturedOutput output) {
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();
				ConfigurableApplicationContext first = start("first", dynamoDb);
				ConfigurableApplicationContext second = start("second", dynamoDb)) {
			await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
				assertThat(first.isActive() && second.isActive()).isTrue();
				assertThat(begins(output)).extracting(Event::node).contains("first", "second");
			});
		}
		List<Event> events = events(output);
		assertThat(events).isNotEmpty();
		for (int i = 0; i < events.size(); i += 2) {
			Event begin = events.get(i);
			Event end = events.get(i + 1);
			assertThat(begin.what()).isEqualTo(What.BEGINS);
			assertThat(end).isEqualTo(new Event(end.time(), begin.node(), What.ENDS, ACCOUNT, begin.token()));
		}
		assertThat(begins(output)).extracting(Event::token).isSorted().doesNotHaveDuplicates().doesNotContain(0L);
	}

	/** With a lease that outlasts the pauses of a busy build machine. */
	private static ConfigurableApplicationContext start(String node, EmbeddedDynamoDb dynamoDb) {
		return new SpringApplicationBuilder(ScheduledJobsApplication.class)
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(DynamoDbClient.class,
					() -> dynamoDb.newClient((client) -> {
					})))
			.run("--dynamodb-lock.owner-name=" + node, "--dynamodb-lock.lease-duration=1m",
					"--dynamodb-lock.heartbeat-period=10s");
	}

	private static List<Event> begins(CapturedOutput output) {
		return events(output).stream().filter((event) -> event.what() == What.BEGINS).toList();
	}

	private static List<Event> events(CapturedOutput output) {
		return output.getOut()
			.lines()
			.filter(Event::isEvent)
			.map(Event::parse)
			.filter((event) -> event.key().equals(ACCOUNT) && event.what().compareTo(What.BEGINS) >= 0)
			.toList();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class JobEventTests {

	private static final Instant TICK = Instant.parse("2026-11-23T02:00:00Z");

	private final RuntimeException failure = new IllegalStateException("no paper");

	private final List<JobEvent> reported = new ArrayList<>();

	private final HandDrivenNode.Nodes nodes = new HandDrivenNode.Nodes(
			new DynamoDbLockStore(InMemoryDynamoDb.withLockTable("locks"), SimulatedProcess.SCHEMA));

	@Test
	void eachEventHasItsJobAndTheEndOfARunItsException() {
		HandDrivenNode node = this.nodes.attempts(1).listener(this.reported::add).up();
		run(node, 1, this.failure);
		run(node, 3, null);
		assertThat(this.reported).hasSize(5);
		assertThat(this.reported).extracting(JobEvent::job).containsOnly(node.job());
		assertThat(this.reported.get(0)).asInstanceOf(type(JobStartedEvent.class))
			.returns(1, (started) -> started.attempt());
		assertThat(this.reported.get(1)).asInstanceOf(type(JobFinishedEvent.class))
			.satisfies((finished) -> assertThat(finished.failure()).containsSame(this.failure));
		assertThat(this.reported.get(2)).isInstanceOf(JobMissedEvent.class);
		assertThat(this.reported.get(4)).asInstanceOf(type(JobFinishedEvent.class))
			.satisfies((finished) -> assertThat(finished.failure()).isEmpty());
	}

	@Test
	void aRunThatAShutdownInterruptedIsARerunOnTheNextNode() {
		HandDrivenNode closing = this.nodes.up();
		HandDrivenNode next = this.nodes.listener(this.reported::add).up();
		this.nodes.passTo(1);
		closing.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		next.tick();
		closing.runs().close();
		closing.runs().interrupt();
		closing.end(this.failure);
		this.nodes.pass(Duration.ofSeconds(50));
		assertThat(this.reported).first(type(JobStartedEvent.class)).satisfies((started) -> {
			assertThat(started.attempt()).isOne();
			assertThat(started.rerun()).isTrue();
		});
	}

	@Test
	void aListenerThatThrowsIsLoggedAndChangesNothing(CapturedLog log) {
		HandDrivenNode node = this.nodes.listener((event) -> {
			throw this.failure;
		}).up();
		run(node, 1, null);
		assertThat(node.events()).as("what the next listener receives")
			.containsExactly("started 0:1 #1", "SUCCEEDED 0:1");
		assertThat(this.nodes.record().outcome()).hasValue(JobOutcome.SUCCEEDED);
		assertThat(log.toString()).contains("A job listener failed", "no paper");
	}

	/** A run of a second. */
	private void run(HandDrivenNode node, int minute, @Nullable RuntimeException thrown) {
		this.nodes.passTo(minute);
		node.tick();
		this.nodes.pass(Duration.ofSeconds(1));
		node.end(thrown);
		this.nodes.pass(Duration.ofSeconds(1));
	}

	@Test
	void eventsArePublishedUnlessSwitchedOff(EmbeddedDynamoDb dynamoDb) {
		List<Object> published = new ArrayList<>();
		ApplicationContextRunner node = JobNode.of(dynamoDb, Reports.class)
			.withInitializer((context) -> context.addApplicationListener((event) -> {
				if (event instanceof PayloadApplicationEvent<?> payload && payload.getPayload() instanceof JobEvent) {
					published.add(payload.getPayload().getClass());
				}
			}));
		node.withPropertyValues("dynamodb-lock.events.enabled=false")
			.run((context) -> JobNode.tick(context, "nightly", TICK));
		assertThat(published).isEmpty();
		node.run((context) -> JobNode.tick(context, "nightly", TICK.plusSeconds(1)));
		assertThat(published).containsExactly(JobStartedEvent.class, JobFinishedEvent.class);
	}

	@Test
	void theApplicationPublishesThemInItsOwnWay(EmbeddedDynamoDb dynamoDb) {
		JobNode.of(dynamoDb, Reports.class)
			.withBean("dynamoDbLockJobEventPublisher", JobListener.class, () -> this.reported::add)
			.run((context) -> JobNode.tick(context, "nightly", TICK));
		assertThat(this.reported).hasSize(2);
	}

	@Test
	void missedTicksAreCopied() {
		List<Instant> ticks = new ArrayList<>(List.of(TICK));
		JobMissedEvent event = new JobMissedEvent(this.nodes.up().job(), ticks, false);
		ticks.clear();
		assertThat(event.ticks()).containsExactly(TICK);
	}

	static class Reports {

		@Scheduled(cron = "* * * * * *")
		@ScheduledLock(name = "nightly-report")
		public void nightly() {
		}

	}

}

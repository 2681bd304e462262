/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.job.JobEvent;
import io.github.dynamodblock.spring.job.JobFinishedEvent;
import io.github.dynamodblock.spring.job.JobStartedEvent;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A scheduled job of a running application: the endpoint, meters and events show it.
 */
@ExtendWith(DynamoDbExtension.class)
class LockedJobsApplicationTests extends LocksEndpointApplication {

	private static final Duration SOON = Duration.ofSeconds(60);

	@Test
	void aRunIsShownMeasuredAndPublished(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(application(dynamoDb).sources(Reports.class));
		await().atMost(SOON)
			.untilAsserted(() -> assertThat(get("/actuator/lockedjobs", 200)).contains("\"name\":\"nightly-report\"")
				.contains("\"outcome\":\"SUCCEEDED\"")
				.contains("\"clockDifference\":\"PT")
				.contains("\"truncated\":false"));
		assertThat(get("/actuator/lockedjobs/nightly-report", 200)).contains("Reports");
		get("/actuator/lockedjobs/weekly-report", 404);
		MeterRegistry meters = application().getBean(MeterRegistry.class);
		await().atMost(SOON)
			.ignoreException(MeterNotFoundException.class)
			.untilAsserted(() -> assertThat(meters.get("dynamodb.lock.job.runs")
				.tags("dynamodb.lock.name", "nightly-report", "dynamodb.lock.outcome", "succeeded")
				.timer()
				.count()).isPositive());
		assertThat(meters.get("dynamodb.lock.job.since.success")
			.tag("dynamodb.lock.name", "nightly-report")
			.timeGauge()
			.value(TimeUnit.SECONDS)).isGreaterThanOrEqualTo(0);
		Queue<JobEvent> events = application().getBean(Reports.class).events();
		await().atMost(SOON)
			.untilAsserted(() -> assertThat(events).hasAtLeastOneElementOfType(JobStartedEvent.class)
				.hasAtLeastOneElementOfType(JobFinishedEvent.class));
	}

	@Test
	void theTimeSinceTheLastSuccessIsMeasuredBeforeTheFirstTick(EmbeddedDynamoDb dynamoDb) {
		start(application(dynamoDb).sources(Reports.class));
		MeterRegistry meters = application().getBean(MeterRegistry.class);
		await().atMost(SOON)
			.ignoreException(MeterNotFoundException.class)
			.untilAsserted(() -> assertThat(meters.get("dynamodb.lock.job.since.success")
				.tag("dynamodb.lock.name", "yearly-report")
				.timeGauge()
				.value()).isPositive());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Reports {

		private final Queue<JobEvent> events = new ConcurrentLinkedQueue<>();

		@Scheduled(fixedDelay = 200)
		@ScheduledLock(name = "nightly-report")
		public void nightly() {
		}

		@Scheduled(cron = "0 0 2 1 1 *")
		@ScheduledLock(name = "yearly-report")
		public void yearly() {
		}

		public Queue<JobEvent> events() {
			return this.events;
		}

		@EventListener
		public void happened(JobEvent event) {
			this.events.add(event);
		}

	}

}

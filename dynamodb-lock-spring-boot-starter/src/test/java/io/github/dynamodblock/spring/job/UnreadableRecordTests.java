/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A node that may not read all records of its jobs.
 */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class UnreadableRecordTests {

	@Test
	void aRecordThatCannotBeReadIsReadAgainAfterAPause(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		CallRecorder calls = new CallRecorder();
		calls.deny(GetItemRequest.class::isInstance);
		JobNode.of(dynamoDb, Yearly.class, calls::attach).withUserConfiguration(Scheduling.class).run((node) -> {
			await().until(() -> log.toString().contains("Could not read the records of job 'unreadable'"));
			// Without pauses, it would be about fifty times.
			await().during(Duration.ofSeconds(2))
				.until(() -> calls.calls().stream().filter("GetItemRequest"::equals).count() < 10);
			assertThat(node).hasNotFailed();
		});
	}

	@Test
	void aRecordThatCannotBeReadDelaysNoOtherJob(EmbeddedDynamoDb dynamoDb) {
		CallRecorder calls = new CallRecorder();
		AtomicReference<Object> unreadable = new AtomicReference<>();
		calls.deny((request) -> request instanceof GetItemRequest get
				&& get.key().equals(unreadable.updateAndGet((first) -> (first != null) ? first : get.key())));
		List<JobRecord> read = new CopyOnWriteArrayList<>();
		JobNode.of(dynamoDb, Yearly.class, calls::attach)
			.withBean("others", OtherJobs.class)
			.withBean("reader", JobListener.class, () -> new JobListener() {
				@Override
				public void onEvent(JobEvent event) {
				}

				@Override
				public void onRecord(LockedJob job, JobRecord record) {
					read.add(record);
				}
			})
			.withUserConfiguration(Scheduling.class)
			.run((node) -> await().untilAsserted(() -> assertThat(read).hasSize(2)));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	static class OtherJobs {

		@Scheduled(cron = "0 0 3 1 1 *", zone = "UTC")
		@ScheduledLock("second")
		public void second() {
		}

		@Scheduled(cron = "0 0 4 1 1 *", zone = "UTC")
		@ScheduledLock("third")
		public void third() {
		}

	}

	static class Yearly {

		@Scheduled(cron = "0 0 2 1 1 *", zone = "UTC")
		@ScheduledLock("unreadable")
		public void run() {
		}

	}

}

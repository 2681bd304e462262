/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What operators see while DynamoDB does not answer the starts of jobs.
 */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class JobOutageTests {

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	@Test
	void anOutageIsOneWarningForEachJobAndOneLineAtItsEnd(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		CallRecorder calls = new CallRecorder();
		JobNode.of(dynamoDb, TenJobs.class, calls::attach).run((node) -> {
			calls.deny((request) -> true);
			for (int minute = 0; minute < 5; minute++) {
				tickAll(node, minute);
			}
			assertThat(warnings(log)).hasSize(10).allMatch((line) -> line.contains("cannot start on this node"));
			assertThat(lines(log, "ERROR")).isEmpty();
			calls.deny((request) -> false);
			tickAll(node, 5);
			tickAll(node, 6);
			assertThat(lines(log, "INFO ")).filteredOn((line) -> line.contains("can start on this node again"))
				.hasSize(1);
			assertThat(warnings(log)).hasSize(10);
		});
	}

	private static void tickAll(ApplicationContext node, int minute) {
		for (String method : TenJobs.METHODS) {
			JobNode.tick(node, method, NOON.plus(Duration.ofMinutes(minute)));
		}
	}

	/** Those of this test's jobs: jobs of other tests may run beside them. */
	private static List<String> warnings(CapturedLog log) {
		return lines(log, "WARN ").stream().filter((line) -> line.contains(TenJobs.class.getSimpleName())).toList();
	}

	private static List<String> lines(CapturedLog log, String level) {
		return log.toString()
			.lines()
			.filter((line) -> line.contains(" " + level + " ") && line.contains(JobReports.class.getSimpleName()))
			.toList();
	}

	static class TenJobs {

		static final List<String> METHODS = List.of("one", "two", "three", "four", "five", "six", "seven", "eight",
				"nine", "ten");

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock("one")
		public void one() {
		}

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock("two")
		public void two() {
		}

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock("three")
		public void three() {
		}

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock("four")
		public void four() {
		}

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock("five")
		public void five() {
		}

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock("six")
		public void six() {
		}

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock("seven")
		public void seven() {
		}

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock("eight")
		public void eight() {
		}

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock("nine")
		public void nine() {
		}

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock("ten")
		public void ten() {
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith(DynamoDbExtension.class)
class ScheduledMethodTests {

	@Test
	void aJobThatEveryNodeSchedulesRunsOnOne(EmbeddedDynamoDb dynamoDb) {
		AtomicInteger runs = new AtomicInteger();
		ApplicationContextRunner node = LockNode.of(dynamoDb)
			.withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class))
			.withBean("runs", AtomicInteger.class, () -> runs)
			.withUserConfiguration(Scheduling.class);
		node.run((first) -> node.run((second) -> {
			await().untilAsserted(() -> {
				assertThat(first.getBean(Report.class).ticks()).isGreaterThan(3);
				assertThat(second.getBean(Report.class).ticks()).isGreaterThan(3);
			});
			assertThat(runs).as("runs of both nodes, while the lock is held at least").hasValue(1);
		}));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

		@Bean
		Report report(AtomicInteger runs) {
			return new Report(runs);
		}

	}

	static class Report {

		private final AtomicInteger runs;

		private final AtomicInteger ticks = new AtomicInteger();

		Report(AtomicInteger runs) {
			this.runs = runs;
		}

		@Scheduled(fixedDelay = 200)
		@DistributedLock(name = "report", key = "#root.target.tick()", onBusy = OnBusy.SKIP, holdAtLeast = "1m")
		public void run() {
			this.runs.incrementAndGet();
		}

		/** Counts the calls that ask for the lock. */
		public String tick() {
			this.ticks.incrementAndGet();
			return "daily";
		}

		int ticks() {
			return this.ticks.get();
		}

	}

}

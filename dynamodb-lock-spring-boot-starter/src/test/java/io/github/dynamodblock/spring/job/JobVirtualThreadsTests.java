/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * With {@code spring.threads.virtual.enabled=true}, every run of a job is on a virtual
 * thread: those that Spring's scheduler starts, and those that this library starts.
 */
@EnabledForJreRange(min = JRE.JAVA_21)
@ExtendWith(DynamoDbExtension.class)
class JobVirtualThreadsTests {

	private static final Instant LONG_AGO = Instant.parse("2020-01-01T02:00:00Z");

	@Test
	void ticksRunOnVirtualThreads(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb, Secondly.class).run((node) -> await()
			.untilAsserted(() -> assertThat(threads(node)).hasSizeGreaterThan(1).containsOnly(true)));
	}

	@Test
	void aCatchUpRunsOnAVirtualThread(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb, Yearly.class);
		node.run((before) -> JobNode.tick(before, "run", LONG_AGO));
		node.withPropertyValues("clock=2023-05-01T12:00:00Z")
			.run((after) -> await().untilAsserted(() -> assertThat(threads(after)).containsExactly(true)));
	}

	@Test
	void aRerunIsOnAVirtualThread(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb, Yearly.class);
		node.run((crashing) -> node.run((other) -> {
			crashing.getBean(Job.class).during(() -> {
				JobNode.tick(other, "run", LONG_AGO);
				crashing.getBean(LockClient.class).closeWithoutReleasing();
			});
			JobNode.tick(crashing, "run", LONG_AGO);
			await().untilAsserted(() -> assertThat(threads(other)).containsExactly(true));
			await().untilAsserted(() -> assertThat(JobNode.record(other, "yearly").isFinished()).isTrue());
			assertThat(JobNode.record(other, "yearly").attempt()).isEqualTo(2);
		}));
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb, Class<? extends Job> job) {
		return JobNode.of(dynamoDb, job)
			.withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class))
			.withUserConfiguration(Scheduling.class)
			.withPropertyValues("spring.threads.virtual.enabled=true");
	}

	private static List<Boolean> threads(ApplicationContext node) {
		return node.getBean(Job.class).threads();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	abstract static class Job {

		private final List<Boolean> threads = new CopyOnWriteArrayList<>();

		private volatile Runnable body = () -> {
		};

		void during(Runnable body) {
			this.body = body;
		}

		/** Whether the thread of each run was virtual. */
		List<Boolean> threads() {
			return this.threads;
		}

		void work() {
			try {
				// The tests' Java 17 does not know it.
				this.threads.add((boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread()));
			}
			catch (ReflectiveOperationException ex) {
				throw new IllegalStateException(ex);
			}
			this.body.run();
		}

	}

	static class Secondly extends Job {

		@Scheduled(cron = "* * * * * *", zone = "UTC")
		@ScheduledLock("secondly")
		public void run() {
			work();
		}

	}

	static class Yearly extends Job {

		@Scheduled(cron = "0 0 2 1 1 *", zone = "UTC")
		@ScheduledLock(name = "yearly", onMissed = OnMissed.RUN_ONCE)
		public void run() {
			work();
		}

	}

}

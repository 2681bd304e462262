/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.config.ScheduledTaskHolder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Beans that need each other: Spring initializes one of them after its proxy was created,
 * and schedules the object without the proxy.
 */
@ExtendWith(CapturedLogExtension.class)
class CircularReferenceTests {

	@ParameterizedTest
	@ValueSource(classes = { Job.class, LockedMethod.class, OneTime.class })
	void aScheduledMethodThatSpringWouldCallWithoutTheProxyFailsStartup(Class<?> type) {
		node(type).run((context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOf(InvalidDistributedLockException.class)
			.hasMessageContainingAll(type.getSimpleName() + ".run()",
					"bean 'scheduled' is part of a circular reference", "@Lazy or ObjectProvider"));
	}

	@Test
	void aBeanThatIsCreatedLaterIsRefusedAndNotScheduled() {
		node(Job.class)
			.withInitializer((context) -> context
				.addBeanFactoryPostProcessor((beans) -> beans.getBeanDefinition("scheduled").setLazyInit(true)))
			.withInitializer((context) -> context
				.addBeanFactoryPostProcessor((beans) -> beans.getBeanDefinition("needed").setLazyInit(true)))
			.run((context) -> {
				assertThatThrownBy(() -> context.getBean("scheduled")).rootCause()
					.hasMessageContaining("circular reference");
				assertThat(context.getBean(ScheduledTaskHolder.class).getScheduledTasks()).isEmpty();
			});
	}

	@Test
	void itIsAWarningIfMissingAdviceIs(CapturedLog log) {
		node(Job.class).withPropertyValues("dynamodb-lock.advice.missing=warn")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(log.toString()).containsPattern("WARN .*Job.run.*circular reference");
	}

	@ParameterizedTest
	@ValueSource(classes = { LazyJob.class, ProviderJob.class, Unscheduled.class })
	void aBrokenCircleAndAMethodThatOthersCallStart(Class<?> type) {
		node(type).run((context) -> assertThat(context).hasNotFailed());
	}

	private static ApplicationContextRunner node(Class<?> type) {
		return LockNode.bare()
			.withAllowCircularReferences(true)
			.withBean("locks", LockClient.class,
					() -> LockClient.builder(InMemoryDynamoDb.withLockTable("locks")).tableName("locks").build())
			.withUserConfiguration(Scheduling.class)
			.withBean("scheduled", type)
			.withBean("needed", Needed.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	static class Needed {

		@Autowired
		Needing scheduled;

	}

	/** What the other bean needs. */
	interface Needing {

	}

	abstract static class Circle implements Needing {

		@Autowired
		Needed needed;

	}

	static class Job extends Circle {

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
		@ScheduledLock("job")
		public void run() {
		}

	}

	static class LockedMethod extends Circle {

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
		@DistributedLock(name = "job", holdAtLeast = "30s")
		public void run() {
		}

	}

	static class OneTime extends Circle {

		@Scheduled(initialDelay = 1, timeUnit = TimeUnit.HOURS)
		@DistributedLock("job")
		public void run() {
		}

	}

	static class Unscheduled extends Circle {

		@DistributedLock("job")
		public void run() {
		}

		@Scheduled(cron = Scheduled.CRON_DISABLED)
		@ScheduledLock("off")
		public void off() {
		}

	}

	static class LazyJob implements Needing {

		@Lazy
		@Autowired
		Needed needed;

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
		@ScheduledLock("job")
		public void run() {
		}

	}

	static class ProviderJob implements Needing {

		@Autowired
		ObjectProvider<Needed> needed;

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
		@ScheduledLock("job")
		public void run() {
		}

	}

}

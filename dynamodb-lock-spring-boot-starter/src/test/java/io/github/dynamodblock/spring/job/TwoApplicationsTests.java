/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two applications whose jobs have the same name, on one table.
 */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class TwoApplicationsTests {

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	private static final String TICK = "2026-05-01T12:00:00Z";

	private static final String OTHER_METHOD = "The latest run of job 'cleanup' (" + ShopCleanup.class.getName()
			+ ".run(), cron 0 0 12 1 5 * in UTC) called another method, " + BillingCleanup.class.getName() + ".run()";

	@Test
	void anApplicationRerunsOnlyItsOwnRun(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		ApplicationContextRunner table = JobNode.of(dynamoDb, BillingCleanup.class);
		crash(named(table, "billing"));
		shop(table, "shop").run((shop) -> {
			await().until(() -> log.toString()
				.contains(OTHER_METHOD + ", in application 'billing', but this is "
						+ "application 'shop'. If these are two applications, they take each other's ticks: set "
						+ "dynamodb-lock.key-prefix in one of them. If it is one application that was renamed, do "
						+ "nothing."));
			named(table, "billing").withUserConfiguration(Scheduling.class)
				.withPropertyValues("clock=" + NOON)
				.run((billing) -> await()
					.untilAsserted(() -> assertThat(events(billing)).contains("succeeded " + TICK + " #2")));
			JobNode.tick(shop, "run", NOON.plusSeconds(1));
			JobNode.tick(shop, "run", NOON.plusSeconds(2));
			assertThat(events(shop)).isEmpty();
			assertThat(log.toString().split("called another method", -1)).as("logged once").hasSize(2);
		});
	}

	@Test
	void aMethodThatWasRenamedIsNoWarning(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		ApplicationContextRunner table = JobNode.of(dynamoDb, BillingCleanup.class);
		crash(named(table, "billing"));
		shop(table, "billing").run((renamed) -> {
			await().until(() -> log.toString()
				.contains(OTHER_METHOD + ", so this node neither reruns it nor records "
						+ "its end. This is normal after the method was renamed"));
			assertThat(log.toString()).doesNotContain("two applications");
			assertThat(events(renamed)).isEmpty();
			Instant nextYear = Instant.parse("2027-05-01T12:00:00Z");
			JobNode.tick(renamed, "run", nextYear);
			await().untilAsserted(() -> assertThat(events(renamed)).containsExactly("crashed " + TICK,
					"started " + nextYear + " #1", "succeeded " + nextYear + " #1"));
		});
	}

	@Test
	void applicationsWithoutANameAreWarnedOf(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		ApplicationContextRunner table = JobNode.of(dynamoDb, BillingCleanup.class);
		crash(table);
		shop(table, "").run(
				(shop) -> await().until(() -> log.toString()
					.contains(OTHER_METHOD
							+ ", in an application without a name, but this is an application without a name. "
							+ "If these are two applications, they take each other's ticks")));
	}

	@Test
	void anApplicationsNameAloneDecidesNothing(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		ApplicationContextRunner table = JobNode.of(dynamoDb, BillingCleanup.class);
		crash(named(table, "billing-blue"));
		named(table, "billing-green").withUserConfiguration(Scheduling.class)
			.withPropertyValues("clock=" + NOON)
			.run((green) -> {
				await().untilAsserted(() -> assertThat(events(green)).contains("succeeded " + TICK + " #2"));
				assertThat(JobNode.record(green, "cleanup").application()).hasValue("billing-green");
				assertThat(JobNode.record(green, "cleanup").method())
					.hasValue(BillingCleanup.class.getName() + ".run()");
				assertThat(log.toString()).doesNotContain("called another method");
			});
	}

	private static ApplicationContextRunner named(ApplicationContextRunner application, String name) {
		return application.withPropertyValues("spring.application.name=" + name);
	}

	/** A node of the same table, which has another method for the job. */
	private static ApplicationContextRunner shop(ApplicationContextRunner table, String name) {
		return named(table, name).withBean("jobs", ShopCleanup.class)
			.withAllowBeanDefinitionOverriding(true)
			.withUserConfiguration(Scheduling.class)
			.withPropertyValues("clock=" + NOON);
	}

	/** A node crashes in the middle of its run. */
	private static void crash(ApplicationContextRunner application) {
		application.run((node) -> {
			node.getBean(BillingCleanup.class).body().set(node.getBean(LockClient.class)::closeWithoutReleasing);
			JobNode.tick(node, "run", NOON);
			assertThat(events(node)).contains("started " + TICK + " #1");
		});
	}

	private static List<String> events(ApplicationContext node) {
		return node.getBean(JobNode.Events.class).all();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	static class BillingCleanup {

		private final AtomicReference<Runnable> body = new AtomicReference<>(() -> {
		});

		AtomicReference<Runnable> body() {
			return this.body;
		}

		@Scheduled(cron = "0 0 12 1 5 *", zone = "UTC")
		@ScheduledLock(name = "cleanup", attempts = 3)
		public void run() {
			this.body.get().run();
		}

	}

	static class ShopCleanup {

		@Scheduled(cron = "0 0 12 1 5 *", zone = "UTC")
		@ScheduledLock(name = "cleanup", attempts = 3)
		public void run() {
		}

	}

}

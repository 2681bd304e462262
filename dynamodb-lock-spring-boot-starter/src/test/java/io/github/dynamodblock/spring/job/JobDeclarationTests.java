/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.LockNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.ScheduledMethodRunnable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Which methods are jobs, by annotations that Spring reads, too.
 */
@ExtendWith(CapturedLogExtension.class)
class JobDeclarationTests {

	@Test
	void expressionsAreEvaluated() {
		node().withBean(Evaluated.class)
			.run((context) -> assertThat(
					context.getBean(LockedJobs.class).find("evaluated").map(LockedJob::schedule).map(Object::toString))
				.hasValue("cron 0 0 2 * * * in UTC"));
	}

	@Test
	void aComposedAnnotationSchedulesAJob() {
		node().withBean(Composed.class)
			.run((context) -> assertThat(context.getBean(LockedJobs.class).find("composed")).isPresent());
	}

	@Test
	void aScheduleThatSpringIgnoresMakesNoJob() {
		node().withBean(Overriding.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(LockedJobs.class).all()).isEmpty();
		});
	}

	@Test
	void aDisabledJobIsNoneThatMissesTicks(CapturedLog log) {
		node().withBean(Disabled.class).withBean(Unscheduled.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(LockedJobs.class).all()).isEmpty();
			assertThat(log.toString()).doesNotContain("Disabled.run()");
		});
	}

	@Test
	void aJobHasItsAnnotatedNameWhateverItsKeyIs() {
		node().withBean(Evaluated.class)
			.withPropertyValues("dynamodb-lock.key-prefix=reports/", "dynamodb-lock.table.sort-key-name=sort")
			.run((context) -> assertThat(context.getBean(LockedJobs.class).find("evaluated"))
				.hasValueSatisfying((job) -> {
					assertThat(job.name()).isEqualTo("evaluated");
					assertThat(job.key()).isEqualTo(LockKey.of("reports/evaluated", "lock"));
				}));
	}

	@Test
	void anAsynchronousJobWithoutTicksIsAWarning(CapturedLog log) {
		node().withBean(AsynchronousJobs.class).withUserConfiguration(Asynchronous.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(log.toString()).containsOnlyOnce("AsynchronousJobs.run(): @Async moves the scheduler's calls")
				.doesNotContain("AsynchronousJobs.inTurn(): @Async");
		});
	}

	@Test
	void aMethodThatSpringSchedulesOnceIsAWarning(CapturedLog log) {
		node().withBean(Once.class)
			.withBean(Unscheduled.class)
			.withBean(Disabled.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(log.toString()).containsOnlyOnce("Once.run(): @Scheduled has neither cron")
			.doesNotContain("Disabled.run()")
			.doesNotContain("Unscheduled.run()");
	}

	@Test
	void aCallOfAMethodWithoutAScheduleIsAWarning(CapturedLog log) {
		node().withBean(Overriding.class).run((context) -> {
			Overriding bean = context.getBean(Overriding.class);
			assertThatException().isThrownBy(bean::run);
			assertThatException().isThrownBy(bean::run);
			assertThat(log.toString()).containsOnlyOnce("Overriding.run() has @ScheduledLock, but no @Scheduled");
		});
	}

	@Test
	void anApplicationWithJobsAndWithoutSchedulingSaysThatNoneRuns(CapturedLog log) {
		unscheduled().withBean(Evaluated.class).run((context) -> assertThat(context).hasNotFailed());
		assertThat(log.toString()).containsOnlyOnce("No scheduled job runs on this node")
			.contains("put @EnableScheduling on");
	}

	@Test
	void anApplicationWithoutSchedulingHasNoJobs() {
		unscheduled().run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(LockedJobs.class).all()).isEmpty();
		});
	}

	@Test
	void aTickOfAContextThatDoesNotScheduleIsRefused() {
		unscheduled().withBean(Evaluated.class).run((context) -> {
			Runnable tick = new ScheduledMethodRunnable(context.getBean(Evaluated.class), "run");
			assertThatIllegalStateException().isThrownBy(tick::run).withMessageContaining("Enable scheduling");
		});
	}

	private static ApplicationContextRunner node() {
		return unscheduled().withUserConfiguration(Scheduling.class);
	}

	private static ApplicationContextRunner unscheduled() {
		return LockNode.bare().withBean("locks", LockClient.class, () -> Mockito.mock(LockClient.class));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class Asynchronous {

	}

	static class AsynchronousJobs {

		@Async
		@Scheduled(cron = "0 0 2 * * *")
		@ScheduledLock("asynchronous")
		public void run() {
		}

		@Scheduled(cron = "0 0 2 * * *")
		@ScheduledLock("in-turn")
		public void inTurn() {
		}

	}

	static class Evaluated {

		@Scheduled(cron = "#{'0 0 ' + '2 * * *'}", zone = "#{'UTC'}")
		@ScheduledLock("evaluated")
		public void run() {
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@Scheduled(cron = "0 0 2 * * *")
	@interface Nightly {

	}

	static class Composed {

		@Nightly
		@ScheduledLock("composed")
		public void run() {
		}

	}

	static class Overridden {

		@Scheduled(cron = "0 0 2 * * *")
		public void run() {
		}

	}

	static class Overriding extends Overridden {

		@Override
		@ScheduledLock("overriding")
		public void run() {
		}

	}

	static class Unscheduled {

		@ScheduledLock("unscheduled")
		public void run() {
		}

	}

	static class Once {

		@Scheduled(initialDelay = 60_000)
		@ScheduledLock("once")
		public void run() {
		}

	}

	static class Disabled {

		@Scheduled(cron = "${nightly.cron:-}")
		@ScheduledLock(name = "disabled", onMissed = OnMissed.RUN_ONCE)
		public void run() {
		}

	}

}

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
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

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
			assertThat(log.toString()).contains("Unscheduled.run() has @ScheduledLock, but no schedule")
				.doesNotContain("Disabled.run()");
		});
	}

	@Test
	void anIntervalThatIsShortForTheClockToleranceIsReported(CapturedLog log) {
		node().withBean(ShortIntervals.class)
			.withUserConfiguration(RerunTests.Scheduling.class)
			.run((context) -> assertThat(log.toString())
				.containsPattern(
						"INFO .*job 'each-second' .*ShortIntervals.eachSecond.*: its interval of 1 s is shorter "
								+ "than twice its clock tolerance of 2 s, the least")
				.contains("or choose an interval of at least 4 s")
				.doesNotContain("job 'each-ten'", "job 'hourly'"));
	}

	@Test
	void aConfiguredClockToleranceThatDoesNotApplyIsReported(CapturedLog log) {
		node().withBean(ShortIntervals.class)
			.withUserConfiguration(RerunTests.Scheduling.class)
			.withPropertyValues("dynamodb-lock.jobs.clock-tolerance=20s")
			.run((context) -> assertThat(log.toString())
				.containsPattern(
						"INFO .*job 'each-ten' .*ShortIntervals.eachTen.*: its interval of 10 s is shorter than "
								+ "twice dynamodb-lock.jobs.clock-tolerance .20 s.. Its clock tolerance is half of the "
								+ "interval, 5 s")
				.contains("job 'each-second'")
				.doesNotContain("job 'hourly'"));
	}

	@Test
	void anAsynchronousJobWithoutTicksIsAWarning(CapturedLog log) {
		node().withBean(AsynchronousJobs.class).withUserConfiguration(Asynchronous.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(log.toString()).containsOnlyOnce("AsynchronousJobs.run(): @Async moves the scheduler's calls")
				.doesNotContain("AsynchronousJobs.held(): @Async", "AsynchronousJobs.inTurn(): @Async");
		});
	}

	private static ApplicationContextRunner node() {
		return LockNode.bare().withBean("locks", LockClient.class, () -> Mockito.mock(LockClient.class));
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

		@Async
		@Scheduled(cron = "0 0 2 * * *")
		@ScheduledLock(name = "held", holdAtLeast = "30s")
		public void held() {
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

	static class ShortIntervals {

		@Scheduled(cron = "* * * 1 1 *")
		@ScheduledLock("each-second")
		public void eachSecond() {
		}

		@Scheduled(cron = "*/10 * * 1 1 *")
		@ScheduledLock("each-ten")
		public void eachTen() {
		}

		@Scheduled(cron = "0 0 * * * *")
		@ScheduledLock("hourly")
		public void hourly() {
		}

	}

	static class Disabled {

		@Scheduled(cron = "${nightly.cron:-}")
		@ScheduledLock(name = "disabled", onMissed = OnMissed.RUN_ONCE)
		public void run() {
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.JobContext;
import io.github.dynamodblock.spring.job.JobMissedEvent;
import io.github.dynamodblock.spring.job.JobOutcome;
import io.github.dynamodblock.spring.job.JobRecord;
import io.github.dynamodblock.spring.job.LockedJobs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;

/** Users' tests of scheduled jobs. None waits for the clock. */
class JobTesterTests {

	@Nested
	@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
	@FreshLockTable
	class OfAnApplication {

		@Autowired
		@SuppressWarnings("NullAway.Init")
		private JobTester jobs;

		@Autowired
		@SuppressWarnings("NullAway.Init")
		private Report report;

		@BeforeEach
		void forget() {
			this.report.forget();
		}

		@Test
		void aTickRunsTheMethodAtItsTime() {
			JobRecord record = this.jobs.tick("report");
			assertThat(record.outcome()).hasValue(JobOutcome.SUCCEEDED);
			assertThat(record.tick().orElseThrow()).isAfter(Instant.now())
				.matches((tick) -> tick.truncatedTo(ChronoUnit.DAYS).plus(2, ChronoUnit.HOURS).equals(tick));
			assertThat(this.report.runs())
				.containsExactly(new JobContext(record.tick().orElseThrow(), record.attempt(), false));
		}

		@Test
		void eachTickIsTheNextOne() {
			Instant first = this.jobs.tick("report").tick().orElseThrow();
			assertThat(this.jobs.tick("report").tick()).hasValue(first.plus(Duration.ofDays(1)));
			assertThat(this.report.runs()).hasSize(2);
			assertThat(this.report.missed()).isEmpty();
		}

		@Test
		void aTickIsNotRunTwice(@Autowired LockedJobs all) {
			this.jobs.tick("report");
			assertThat(all.tick(all.find("report").orElseThrow())).isCompleted();
			assertThat(this.report.runs()).hasSize(1);
		}

		@Test
		void aFailureIsRecorded() {
			this.report.fail();
			JobRecord record = this.jobs.tick("report");
			assertThat(record.outcome()).hasValue(JobOutcome.FAILED);
			assertThat(record.error()).hasValue("java.lang.IllegalStateException: no paper");
		}

		@Test
		void aTickIsSkippedWhileTheLockIsHeld(@Autowired LockClient lockClient) throws InterruptedException {
			try (HeldLock other = lockClient.acquire("report")) {
				assertThat(this.jobs.tick("report").tick()).isEmpty();
			}
			assertThat(this.report.runs()).isEmpty();
		}

		@Test
		void aMissedTickIsReportedByTheNextRun() {
			this.jobs.tick("report");
			Instant missed = this.jobs.miss("report");
			JobRecord record = this.jobs.tick("report");
			assertThat(record.tick()).hasValue(missed.plus(Duration.ofDays(1)));
			assertThat(this.report.missed()).singleElement()
				.satisfies((event) -> assertThat(event.ticks()).containsExactly(missed));
		}

		@Test
		void nothingIsMissedBeforeTheFirstRun() {
			assertThatIllegalStateException().isThrownBy(() -> this.jobs.miss("report"))
				.withMessageContaining("has never run");
			assertThatIllegalArgumentException().isThrownBy(() -> this.jobs.miss("poll"))
				.withMessageContaining("has no cron expression");
		}

		@Test
		void aTickDoesNotJoinALockOfTheTest(@Autowired LockTemplate template) {
			template.executeWithoutResult("report", (lock) -> assertThat(this.jobs.tick("report").tick()).isEmpty());
			assertThat(this.report.runs()).isEmpty();
		}

		@Test
		void anotherNodeCannotCrashWhileTheLockIsHeld(@Autowired LockClient lockClient) throws InterruptedException {
			try (HeldLock other = lockClient.acquire("report")) {
				assertThatIllegalStateException().isThrownBy(() -> this.jobs.crash("report"))
					.withMessageContaining("Another node cannot begin the tick");
				assertThat(other.isHeld()).isTrue();
			}
		}

		@Test
		void aJobAtAFixedRateIsRunAgainAfterACrash() {
			this.jobs.crash("poll");
			assertThat(this.jobs.rerun("poll").attempt()).isEqualTo(2);
		}

		@Test
		void aCrashedRunIsRunAgain() {
			JobRecord crashed = this.jobs.crash("report");
			assertThat(crashed.node()).get().asString().startsWith("crashed-node");
			assertThat(crashed.isFinished()).isFalse();
			JobRecord rerun = this.jobs.rerun("report");
			assertThat(rerun.tick()).isEqualTo(crashed.tick());
			assertThat(rerun.attempt()).isEqualTo(2);
			assertThat(rerun.outcome()).hasValue(JobOutcome.SUCCEEDED);
			assertThat(this.report.runs()).containsExactly(new JobContext(crashed.tick().orElseThrow(), 2, true));
		}

		@Test
		void aCrashedRunWithoutAnotherAttemptIsRecordedAsCrashed() {
			this.jobs.crash("once");
			assertThat(this.jobs.rerun("once").outcome()).hasValue(JobOutcome.CRASHED);
		}

		@Test
		void whatDidNotCrashIsNotRunAgain() {
			this.jobs.tick("report");
			assertThatIllegalStateException().isThrownBy(() -> this.jobs.rerun("report"))
				.withMessageContaining("has crashed");
		}

		@Test
		void aJobWithoutACronExpressionIsDueAsWell() {
			JobRecord first = this.jobs.tick("poll");
			JobRecord second = this.jobs.tick("poll");
			assertThat(second.startedAt().orElseThrow())
				.isAfterOrEqualTo(first.startedAt().orElseThrow().plus(Duration.ofHours(1)));
		}

		@Test
		void aReactiveJobIsAwaited() {
			assertThat(this.jobs.tick("reactive").outcome()).hasValue(JobOutcome.SUCCEEDED);
		}

		@Test
		void anUnknownJobIsNamedWithThoseThatExist() {
			assertThatIllegalArgumentException().isThrownBy(() -> this.jobs.tick("repotr"))
				.withMessageContaining("no job 'repotr'. Its jobs are [once, poll, reactive, report]");
		}

	}

	@Nested
	@SpringBootTest(classes = { Application.class, ClockOfTheApplication.class },
			webEnvironment = SpringBootTest.WebEnvironment.NONE)
	class OfAnApplicationWithAClock {

		@Test
		void theClockIsNamed(@Autowired JobTester jobs) {
			assertThatIllegalStateException().isThrownBy(() -> jobs.tick("report"))
				.withMessageContaining("The application defines the JobClock bean");
		}

	}

	@Nested
	@SpringBootTest(classes = Application.class, properties = "dynamodb-lock.enabled=false",
			webEnvironment = SpringBootTest.WebEnvironment.NONE)
	class WithoutLocks {

		@Test
		void thereIsNoJob(@Autowired JobTester jobs) {
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.tick("report"))
				.withMessageContaining("only if scheduling (@EnableScheduling) and locks are enabled");
		}

	}

	@Nested
	@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
	@MockitoBean(types = LockClient.class)
	class WithAMockedLockClient {

		@Test
		void whatKeepsTheMethodFromBeingCalledIsThrown(@Autowired JobTester jobs, @Autowired LockClient mock) {
			given(mock.find(any(LockKey.class))).willReturn(Optional.empty());
			assertThatException().isThrownBy(() -> jobs.tick("report"))
				.havingRootCause()
				.withMessageContaining("is it a mock?");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableScheduling
	static class Application {

		@Bean
		Report report() {
			return new Report();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ClockOfTheApplication {

		@Bean
		JobClock jobClock() {
			return new JobClock(Instant::now, Duration.ofSeconds(10));
		}

	}

	static class Report {

		private final List<JobContext> runs = new CopyOnWriteArrayList<>();

		private final List<JobMissedEvent> missed = new CopyOnWriteArrayList<>();

		private volatile boolean failing;

		void forget() {
			this.runs.clear();
			this.missed.clear();
			this.failing = false;
		}

		void fail() {
			this.failing = true;
		}

		List<JobContext> runs() {
			return List.copyOf(this.runs);
		}

		List<JobMissedEvent> missed() {
			return List.copyOf(this.missed);
		}

		@Scheduled(cron = "0 0 2 * * *", zone = "UTC")
		@ScheduledLock(name = "report")
		void write() {
			this.runs.add(JobContext.current().orElseThrow());
			if (this.failing) {
				throw new IllegalStateException("no paper");
			}
		}

		@Scheduled(cron = "0 0 3 * * *", zone = "UTC")
		@ScheduledLock(name = "once", attempts = 1, onMissed = OnMissed.SKIP)
		void once() {
		}

		@Scheduled(fixedRate = 3_600_000, initialDelay = 3_600_000)
		@ScheduledLock(name = "poll")
		void poll() {
		}

		@Scheduled(fixedDelay = 3_600_000, initialDelay = 3_600_000)
		@ScheduledLock(name = "reactive")
		public Mono<Void> reactive() {
			return Mono.delay(Duration.ofMillis(50)).then();
		}

		@EventListener
		void onMissed(JobMissedEvent event) {
			this.missed.add(event);
		}

	}

}

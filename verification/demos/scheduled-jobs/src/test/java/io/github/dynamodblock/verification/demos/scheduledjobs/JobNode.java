/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.JobContext;
import io.github.dynamodblock.spring.job.JobCrashedEvent;
import io.github.dynamodblock.spring.job.JobEvent;
import io.github.dynamodblock.spring.job.JobListener;
import io.github.dynamodblock.spring.job.JobMissedEvent;
import io.github.dynamodblock.spring.job.JobRecord;
import io.github.dynamodblock.spring.job.LockedJob;
import io.github.dynamodblock.spring.job.LockedJobs;
import io.github.dynamodblock.verification.harness.ApplicationNode;
import io.github.dynamodblock.verification.harness.Reporter;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.task.ThreadPoolTaskSchedulerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * A node of an application with several jobs, for {@link JobGuaranteesTests}. Its clock
 * is that of the machine, {@code clock.ahead} milliseconds ahead, or begins with
 * {@code clock.start}.
 */
@EnableAutoConfiguration
@EnableScheduling
public class JobNode {

	/** A body begins: tick, attempt, the time by the node's clock, and of the claim. */
	static final String RUNS = "RUNS";

	/** A run of another node has crashed: tick, and 1 if it is run again. */
	static final String CRASHED = "CRASHED";

	/** Ticks were missed: 1 if the job runs once for them, and the ticks. */
	static final String MISSED = "MISSED";

	/** A tick was refused because the job is paused. */
	static final String PAUSED_TICK = "PAUSED_TICK";

	/** The job is paused on all nodes. */
	static final String PAUSED = "PAUSED";

	/** The job is about to be resumed. */
	static final String RESUMES = "RESUMES";

	static final String PAUSE = "pause";

	static final String RESUME = "resume";

	static final String BRIEF = "brief";

	static final String PLAIN = "plain";

	static final String PAUSABLE = "pausable";

	static final String REPEATED = "repeated";

	static final String LEFT = "left";

	static final String CAUGHT_UP = "caught-up";

	@Bean
	Clock clock(Environment environment) {
		String start = environment.getProperty("clock.start");
		Duration ahead = (start != null) ? Duration.between(Instant.now(), Instant.parse(start))
				: Duration.ofMillis(environment.getProperty("clock.ahead", Long.class, 0L));
		return Clock.offset(Clock.systemUTC(), ahead);
	}

	@Bean
	JobClock jobClock(Clock clock) {
		return new JobClock(clock, Duration.ofSeconds(30)) {

			/** Nodes differ from DynamoDB by what a test says. */
			@Override
			public Optional<Reading> checked(LockedJob job) {
				return Optional.of(new Reading(now(), Duration.ofSeconds(30), nanoTime()));
			}

		};
	}

	@Bean
	ThreadPoolTaskSchedulerCustomizer schedulerClock(Clock clock) {
		return (scheduler) -> scheduler.setClock(clock.withZone(ZoneOffset.UTC));
	}

	@Bean
	Jobs jobs(Reporter reporter, Clock clock) {
		return new Jobs(reporter, clock);
	}

	@Bean
	Events events(Reporter reporter) {
		return new Events(reporter);
	}

	@Bean
	Orders orders(LockedJobs jobs, Reporter reporter) {
		return new Orders(jobs, reporter);
	}

	static class Jobs {

		private final Reporter reporter;

		private final Clock clock;

		Jobs(Reporter reporter, Clock clock) {
			this.reporter = reporter;
			this.clock = clock;
		}

		@Scheduled(cron = "* * * * * *", zone = "UTC")
		@ScheduledLock(BRIEF)
		public void brief() throws InterruptedException {
			report(BRIEF);
			TimeUnit.MILLISECONDS.sleep(20);
		}

		/** The same job without ticks: the tests see that it runs more than once. */
		@Scheduled(cron = "* * * * * *", zone = "UTC")
		@DistributedLock(name = PLAIN, onBusy = OnBusy.SKIP)
		public void plain() throws InterruptedException {
			report(PLAIN);
			TimeUnit.MILLISECONDS.sleep(20);
		}

		@Scheduled(cron = "* * * * * *", zone = "UTC")
		@ScheduledLock(PAUSABLE)
		public void pausable() {
			report(PAUSABLE);
		}

		/** The first attempt takes longer than the tests: its node is killed. */
		@Scheduled(cron = "${cron}", zone = "UTC")
		@ScheduledLock(REPEATED)
		public void repeated() throws InterruptedException {
			report(REPEATED);
			if (attempt() == 1) {
				TimeUnit.MINUTES.sleep(10);
			}
		}

		/** Each node calls it when it comes up. It takes longer than the tests. */
		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
		@ScheduledLock(name = LEFT, attempts = 1)
		public void left() throws InterruptedException {
			report(LEFT);
			TimeUnit.MINUTES.sleep(10);
		}

		@Scheduled(cron = "${cron}", zone = "UTC")
		@ScheduledLock(name = CAUGHT_UP, onMissed = OnMissed.RUN_ONCE)
		public void caughtUp() {
			report(CAUGHT_UP);
		}

		/** What has no tick reports the second in which it runs. */
		private void report(String job) {
			Instant now = this.clock.instant();
			Instant tick = JobContext.current()
				.map(JobContext::scheduledTime)
				.orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS));
			Instant claimed = LockContext.current().flatMap((lock) -> lock.record().acquiredAt()).orElseThrow();
			this.reporter.report(RUNS, job, tick.toEpochMilli(), attempt(), now.toEpochMilli(), claimed.toEpochMilli());
		}

		private static int attempt() {
			return JobContext.current().map(JobContext::attempt).orElse(0);
		}

	}

	static class Events implements JobListener {

		private final Reporter reporter;

		Events(Reporter reporter) {
			this.reporter = reporter;
		}

		@Override
		public void onEvent(JobEvent event) {
			String job = event.job().name();
			if (event instanceof JobCrashedEvent crashed) {
				this.reporter.report(CRASHED, job, crashed.tick().toEpochMilli(), crashed.rerun() ? 1 : 0);
			}
			else if (event instanceof JobMissedEvent missed) {
				LongStream ticks = missed.ticks().stream().mapToLong(Instant::toEpochMilli);
				this.reporter.report(MISSED, job,
						LongStream.concat(LongStream.of(missed.runOnce() ? 1 : 0), ticks).toArray());
			}
		}

		@Override
		public void onRecord(LockedJob job, JobRecord record) {
			if (record.paused().isPresent()) {
				this.reporter.report(PAUSED_TICK, job.name());
			}
		}

	}

	static class Orders {

		private final LockedJobs jobs;

		private final Reporter reporter;

		Orders(LockedJobs jobs, Reporter reporter) {
			this.jobs = jobs;
			this.reporter = reporter;
		}

		@EventListener
		public void follow(ApplicationNode.Order order) {
			LockedJob job = this.jobs.find(PAUSABLE).orElseThrow();
			if (order.text().equals(PAUSE)) {
				job.pause("stock-taking");
				this.reporter.report(PAUSED, PAUSABLE);
			}
			else {
				this.reporter.report(RESUMES, PAUSABLE);
				job.resume();
			}
		}

	}

}

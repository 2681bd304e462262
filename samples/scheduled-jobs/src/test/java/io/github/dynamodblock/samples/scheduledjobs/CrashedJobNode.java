/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs;

import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.samples.demo.Reporter;
import io.github.dynamodblock.spring.ScheduledLock;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * One node of an application with one job, for {@link CrashedJobTests}. It reports the
 * outcome of each tick. Not a component, so that the sample's application does not find
 * it.
 */
@EnableAutoConfiguration
@EnableScheduling
public class CrashedJobNode {

	static final String RUNS = "RUNS";

	static final String SKIPPED = "SKIPPED";

	@Bean
	Job job(Reporter reporter) {
		return new Job(reporter);
	}

	@Bean
	Schedule schedule(Job job, Reporter reporter) {
		return new Schedule(job, reporter);
	}

	static class Job {

		private final Reporter reporter;

		Job(Reporter reporter) {
			this.reporter = reporter;
		}

		/** Longer than any test takes: its node is killed. */
		@ScheduledLock(name = "nightly")
		public @Nullable String run(int tick) throws InterruptedException {
			this.reporter.report(RUNS, "", tick);
			TimeUnit.MINUTES.sleep(5);
			return "done";
		}

	}

	static class Schedule {

		private final Job job;

		private final Reporter reporter;

		private int ticks;

		Schedule(Job job, Reporter reporter) {
			this.job = job;
			this.reporter = reporter;
		}

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.SECONDS)
		void tick() throws InterruptedException {
			int tick = ++this.ticks;
			if (this.job.run(tick) == null) {
				this.reporter.report(SKIPPED, "", tick);
			}
		}

	}

}

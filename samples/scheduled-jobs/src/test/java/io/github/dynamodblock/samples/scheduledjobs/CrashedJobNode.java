/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.samples.support.ParentProcess;
import io.github.dynamodblock.spring.ScheduledLock;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * One node of an application with one job, for {@link CrashedJobTests}: a process of its
 * own, which writes what came of each tick.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableScheduling
public class CrashedJobNode {

	static final String RUNS = "the job runs in tick ";

	static final String SKIPPED = "the job was skipped in tick ";

	public static void main(String[] args) throws IOException {
		try (ConfigurableApplicationContext node = SpringApplication.run(CrashedJobNode.class, args)) {
			ParentProcess.takeOrders((order) -> {
				// It only ever hears that it is to end.
			});
		}
	}

	@Bean
	Job job() {
		return new Job();
	}

	@Bean
	Schedule schedule(Job job) {
		return new Schedule(job);
	}

	static class Job {

		/** Longer than any test takes: its node is killed. */
		@ScheduledLock(name = "nightly")
		public @Nullable String run(int tick) throws InterruptedException {
			System.out.println(RUNS + tick);
			TimeUnit.MINUTES.sleep(5);
			return "done";
		}

	}

	static class Schedule {

		private final Job job;

		private int ticks;

		Schedule(Job job) {
			this.job = job;
		}

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.SECONDS)
		void tick() throws InterruptedException {
			int tick = ++this.ticks;
			if (this.job.run(tick) == null) {
				System.out.println(SKIPPED + tick);
			}
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs.node;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

import io.github.dynamodblock.verification.harness.Reporter;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.JobCrashedEvent;
import io.github.dynamodblock.spring.job.JobListener;
import io.github.dynamodblock.spring.job.JobMissedEvent;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.task.ThreadPoolTaskSchedulerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * What the nodes of all trials have in common. Each trial adds a class with its job.
 */
@EnableAutoConfiguration
@EnableScheduling
public class TrialNode {

	/** A body begins: tick, attempt, 1 if it was started before, number of the bean. */
	public static final String BEGINS = "BEGINS";

	/** A body ends by itself; the same numbers. */
	public static final String ENDS = "ENDS";

	/** A body is interrupted; the same numbers. */
	public static final String INTERRUPTED = "INTERRUPTED";

	/** Ticks were missed: the ticks. */
	public static final String MISSED = "MISSED";

	/** A run crashed: its tick. */
	public static final String CRASHED = "CRASHED";

	/** A bean with a job was destroyed: its number. */
	public static final String DESTROYED = "DESTROYED";

	/** The node has refreshed its beans. */
	public static final String REFRESHED = "REFRESHED";

	/** How far this node's clock is ahead, for its scheduler and its jobs. */
	public static final String CLOCK_AHEAD = "trial.clock-ahead";

	private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(30);

	@Bean
	Clock nodeClock(@Value("${" + CLOCK_AHEAD + ":0s}") Duration ahead) {
		return Clock.offset(Clock.systemUTC(), ahead);
	}

	/** Which tick is due is decided by this node's clock. */
	@Bean
	JobClock jobClock(Clock nodeClock) {
		return new JobClock(nodeClock, CLOCK_TOLERANCE);
	}

	/** Spring's scheduler fires by this node's clock. */
	@Bean
	ThreadPoolTaskSchedulerCustomizer schedulerByNodeClock(Clock nodeClock) {
		return (scheduler) -> scheduler.setClock(nodeClock.withZone(ZoneOffset.UTC));
	}

	@Bean
	Body body(Reporter reporter, Clock nodeClock) {
		return new Body(reporter, nodeClock);
	}

	@Bean
	JobListener ticksThatDidNotRun(Reporter reporter) {
		return (event) -> {
			if (event instanceof JobMissedEvent missed) {
				reporter.report(MISSED, missed.job().id(),
						missed.ticks().stream().mapToLong(Instant::toEpochMilli).toArray());
			}
			else if (event instanceof JobCrashedEvent crashed) {
				reporter.report(CRASHED, crashed.job().id(), crashed.tick().toEpochMilli());
			}
		};
	}

}

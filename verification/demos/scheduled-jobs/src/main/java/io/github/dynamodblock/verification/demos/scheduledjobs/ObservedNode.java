/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;

import io.github.dynamodblock.verification.harness.Reporter;
import io.github.dynamodblock.samples.scheduledjobs.Accounts;
import io.github.dynamodblock.spring.job.JobClock;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.task.ThreadPoolTaskSchedulerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * What a node of the demo has beside the application. Not a component, so that the
 * application does not find it.
 */
public class ObservedNode {

	/** The node asks for a lock and waits for it. */
	static final String WAITS = "WAITS";

	/** The wait ended without the lock. */
	static final String GIVES_UP = "GIVES_UP";

	/** The first statement under the lock. */
	static final String BEGINS = "BEGINS";

	/** The last statement under the lock. */
	static final String ENDS = "ENDS";

	/** The work was interrupted, since the node stops. */
	static final String STOPS = "STOPS";

	/** The node that runs the next tick reports one that no node ran. */
	static final String MISSED = "MISSED";

	/** How far this node's clock is ahead, for its scheduler and its jobs. */
	static final String CLOCK_OFFSET = "demo.clock-offset";

	private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(30);

	@Bean
	@Primary
	ObservedBackOffice observedBackOffice(Reporter reporter) {
		return new ObservedBackOffice(reporter);
	}

	@Bean
	Traffic traffic(Accounts accounts, Reporter reporter) {
		return new Traffic(accounts, reporter);
	}

	@Bean
	Clock nodeClock(@Value("${" + CLOCK_OFFSET + ":0s}") Duration offset) {
		return Clock.offset(Clock.system(ZoneId.systemDefault()), offset);
	}

	/** Which tick is due is decided by this node's clock. */
	@Bean
	JobClock jobClock(Clock nodeClock) {
		return new JobClock(nodeClock, CLOCK_TOLERANCE);
	}

	/** Spring's scheduler fires by this node's clock. */
	@Bean
	ThreadPoolTaskSchedulerCustomizer schedulerByNodeClock(Clock nodeClock) {
		return (scheduler) -> scheduler.setClock(nodeClock);
	}

}

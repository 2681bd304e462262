/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.verification.harness.Reporter;

import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.task.ThreadPoolTaskSchedulerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

/**
 * What a node of the demo has beside the sample's application: a second job, accounts,
 * and beans that observe all of them.
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

	/**
	 * Returns what the demo sets otherwise than the sample and the starter: short
	 * intervals, and a table that the nodes create.
	 */
	static List<String> arguments(Duration lease, Duration heartbeat) {
		return List.of("--report.cron=" + Job.REPORT.cron(),
				// A long report does not delay the outbox.
				"--spring.task.scheduling.pool.size=2", "--spring.main.banner-mode=off",
				"--dynamodb-lock.table.create=if-missing", "--dynamodb-lock.lease-duration=" + lease.toMillis() + "ms",
				"--dynamodb-lock.heartbeat-period=" + heartbeat.toMillis() + "ms");
	}

	@Bean
	static ObservedWork observedWork(Reporter reporter) {
		return new ObservedWork(reporter);
	}

	/**
	 * Of all advice, this one has the lowest precedence, so that it runs inside locks.
	 */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static Advisor observation(ObservedWork observedWork) {
		return new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(null, DistributedLock.class, true),
				observedWork);
	}

	@Bean
	Outbox outbox() {
		return new Outbox();
	}

	@Bean
	Accounts accounts() {
		return new Accounts();
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

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjob;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.job.JobContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * A job that every node schedules. Each tick runs on one node.
 */
@Component
public class NightlyReport {

	private static final Logger logger = LoggerFactory.getLogger(NightlyReport.class);

	/**
	 * Makes the report. If the node crashes, another one runs the tick again.
	 */
	@Scheduled(cron = "${report.cron}", zone = "UTC")
	@ScheduledLock(name = "nightly-report")
	public void make() {
		Long token = LockContext.current().map(HeldLock::fencingToken).orElse(null);
		JobContext.current()
			.ifPresentOrElse(
					(run) -> logger.info("Report of {}, attempt {}, with fencing token {}", run.scheduledTime(),
							run.attempt(), token),
					// An operator's LockedJobs.runNow belongs to no tick.
					() -> logger.info("Report between two ticks, with fencing token {}", token));
	}

}

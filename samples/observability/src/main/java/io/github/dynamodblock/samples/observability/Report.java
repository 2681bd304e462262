/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.observability;

import java.time.Duration;
import java.util.Optional;

import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.job.JobContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Writes a report each minute, on one node. If that node crashes, the other one writes
 * it.
 */
@Component
public class Report {

	private static final Logger logger = LoggerFactory.getLogger(Report.class);

	private final Duration work;

	Report(@Value("${work.report}") Duration work) {
		this.work = work;
	}

	@Scheduled(cron = "0 * * * * *", zone = "UTC")
	@ScheduledLock(name = "report")
	void write() throws InterruptedException {
		// Empty if an operator calls LockedJobs.runNow, which belongs to no tick.
		Optional<JobContext> run = JobContext.current();
		String report = run.map((tick) -> "report of " + tick.scheduledTime()).orElse("report between two ticks");
		logger.info("Writing the {}, attempt {}", report, run.map(JobContext::attempt).orElse(1));
		Thread.sleep(this.work.toMillis());
		logger.info("The {} is written", report);
	}

}

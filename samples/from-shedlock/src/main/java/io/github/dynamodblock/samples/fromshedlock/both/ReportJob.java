/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.fromshedlock.both;

import io.github.dynamodblock.samples.fromshedlock.Report;
import io.github.dynamodblock.spring.ScheduledLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Runs under both locks. Nodes of the release before acquire one of them, and nodes of
 * the release after it acquire the other one.
 */
@Component
public class ReportJob {

	private final Report report;

	public ReportJob(Report report) {
		this.report = report;
	}

	@Scheduled(cron = "${report.cron:0 0 2 * * *}", zone = "UTC")
	// ShedLock keeps a crashed node's lock for an hour, and would skip a second attempt.
	@ScheduledLock(name = "report", attempts = 1)
	@SchedulerLock(name = "report", lockAtMostFor = "1h", lockAtLeastFor = "30s")
	public void run() {
		this.report.write();
	}

}

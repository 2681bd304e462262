/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.shedlockannotations;

import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The job as it was before. It keeps ShedLock's annotations and limits.
 */
@Component
public class ReportJob {

	private final Report report;

	public ReportJob(Report report) {
		this.report = report;
	}

	@Scheduled(cron = "${report.cron:0 0 2 * * *}", zone = "UTC")
	@SchedulerLock(name = "report", lockAtMostFor = "1h", lockAtLeastFor = "30s")
	public void run() {
		LockAssert.assertLocked();
		this.report.write();
	}

}

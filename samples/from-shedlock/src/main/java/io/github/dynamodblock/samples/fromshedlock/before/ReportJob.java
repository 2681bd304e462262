/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.fromshedlock.before;

import io.github.dynamodblock.samples.fromshedlock.Report;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Runs under ShedLock's lock.
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
		this.report.write();
	}

}

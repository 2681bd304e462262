/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.fromshedlock.after;

import io.github.dynamodblock.samples.fromshedlock.Report;
import io.github.dynamodblock.spring.ScheduledLock;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Runs under the lock of {@code @ScheduledLock}. Its nodes exclude those with both locks.
 */
@Component
public class ReportJob {

	private final Report report;

	public ReportJob(Report report) {
		this.report = report;
	}

	@Scheduled(cron = "${report.cron:0 0 2 * * *}", zone = "UTC")
	@ScheduledLock(name = "report", holdAtMost = "1h")
	public void run() {
		this.report.write();
	}

}

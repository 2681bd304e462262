/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs;

import io.github.dynamodblock.spring.ScheduledLock;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * A job that every node schedules and one node runs. Nightly in production, every 12
 * seconds here, so that there is something to see.
 */
@Component
public class NightlyReport {

	private final BackOffice backOffice;

	NightlyReport(BackOffice backOffice) {
		this.backOffice = backOffice;
	}

	/**
	 * Makes the report.
	 * @throws InterruptedException if the application stops meanwhile
	 */
	@Scheduled(cron = "*/12 * * * * *")
	@ScheduledLock(name = "nightly-report")
	public void make() throws InterruptedException {
		this.backOffice.makeReport();
	}

}

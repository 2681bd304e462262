/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs;

import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.OnBusy;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * A job that every node schedules and one node runs. Nightly in production, each second
 * here, so that there is something to see.
 */
@Component
public class NightlyReport {

	private final BackOffice backOffice;

	NightlyReport(BackOffice backOffice) {
		this.backOffice = backOffice;
	}

	/**
	 * Makes the report, unless another node does. The lock is held for most of a second,
	 * so that a node whose second begins a little later finds it done.
	 * @throws InterruptedException if the application stops meanwhile
	 */
	@Scheduled(fixedRate = 1, timeUnit = TimeUnit.SECONDS)
	@DistributedLock(name = "nightly-report", onBusy = OnBusy.SKIP, holdAtLeast = "900ms")
	public void make() throws InterruptedException {
		this.backOffice.makeReport();
	}

}

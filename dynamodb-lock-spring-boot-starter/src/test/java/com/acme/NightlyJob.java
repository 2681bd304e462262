/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme;

import io.github.dynamodblock.spring.ScheduledLock;

import org.springframework.scheduling.annotation.Scheduled;

/** Does not say for how long the nodes' clocks may differ. */
public class NightlyJob {

	@Scheduled(cron = "0 0 2 * * *")
	@ScheduledLock("nightly")
	public void run() {
	}

}

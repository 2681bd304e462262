/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.OnBusy;

import org.springframework.scheduling.annotation.Scheduled;

/** Neither has ticks, nor says for how long the nodes' clocks may differ. */
public class NightlyJob {

	@Scheduled(cron = "0 0 2 * * *")
	@DistributedLock(name = "nightly", onBusy = OnBusy.SKIP)
	public void run() {
	}

}

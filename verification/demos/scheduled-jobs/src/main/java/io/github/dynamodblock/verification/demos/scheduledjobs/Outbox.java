/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import io.github.dynamodblock.spring.ScheduledLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;

/**
 * A job that takes less time than the clocks of the nodes differ.
 */
class Outbox {

	/** When it is due. */
	static final String CRON = "*/2 * * * * *";

	private static final Logger logger = LoggerFactory.getLogger(Outbox.class);

	/**
	 * Sends the messages that wait.
	 * @throws InterruptedException if the application stops meanwhile
	 */
	@Scheduled(cron = CRON, zone = "UTC")
	@ScheduledLock(name = "outbox")
	public void send() throws InterruptedException {
		Thread.sleep(20);
		logger.info("Sent the messages");
	}

}

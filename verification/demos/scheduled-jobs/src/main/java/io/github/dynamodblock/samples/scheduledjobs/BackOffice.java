/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs;

import java.util.concurrent.ThreadLocalRandom;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * Stands for the systems that the jobs work with: each call takes some time.
 */
@Component
public class BackOffice {

	private static final Logger logger = LoggerFactory.getLogger(BackOffice.class);

	/** Makes the report. */
	public void makeReport() throws InterruptedException {
		Thread.sleep(200);
		logger.info("Made the report");
	}

	/** Sends the messages of the outbox. */
	public void sendMessages() throws InterruptedException {
		Thread.sleep(20);
		logger.info("Sent the messages");
	}

	/**
	 * Settles an account.
	 * @param accountId the account
	 */
	public void settle(String accountId) throws InterruptedException {
		Thread.sleep(ThreadLocalRandom.current().nextInt(1500, 2500));
		logger.info("Settled the account {}", accountId);
	}

}

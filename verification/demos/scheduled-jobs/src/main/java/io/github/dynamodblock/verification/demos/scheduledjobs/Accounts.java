/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.util.concurrent.ThreadLocalRandom;

import io.github.dynamodblock.spring.DistributedLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work on accounts: one node at a time for each account, different accounts in parallel.
 */
class Accounts {

	/** The name of the locks. */
	static final String LOCK = "account";

	private static final Logger logger = LoggerFactory.getLogger(Accounts.class);

	/**
	 * Settles an account. Waits while another node settles the same account.
	 * @param accountId the account
	 * @throws InterruptedException if the application stops meanwhile
	 */
	@DistributedLock(name = LOCK, key = "#accountId", waitTime = "1m")
	public void settle(String accountId) throws InterruptedException {
		Thread.sleep(ThreadLocalRandom.current().nextInt(1500, 2500));
		logger.info("Settled the account {}", accountId);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs;

import io.github.dynamodblock.spring.DistributedLock;

import org.springframework.stereotype.Service;

/**
 * Work on accounts: one node at a time for each account, different accounts in parallel.
 */
@Service
public class Accounts {

	private final BackOffice backOffice;

	Accounts(BackOffice backOffice) {
		this.backOffice = backOffice;
	}

	/**
	 * Settles an account. Waits while another node settles the same account.
	 * @param accountId the account
	 * @throws InterruptedException if the application stops meanwhile
	 */
	@DistributedLock(name = "account", key = "#accountId", waitTime = "1m")
	public void settle(String accountId) throws InterruptedException {
		this.backOffice.settle(accountId);
	}

}

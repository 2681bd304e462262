/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs;

import java.util.concurrent.ThreadLocalRandom;

import io.github.dynamodblock.samples.scheduledjobs.journal.Journal;
import io.github.dynamodblock.spring.DistributedLock;

import org.springframework.stereotype.Service;

/**
 * Work on accounts: one node at a time for one account, different accounts side by side.
 */
@Service
public class Accounts {

	private final Journal journal;

	Accounts(Journal journal) {
		this.journal = journal;
	}

	/**
	 * Settles an account. Waits for whoever is at the same account.
	 * @param accountId the account
	 * @throws InterruptedException if the application stops meanwhile
	 */
	@DistributedLock(name = "account", key = "#accountId", waitTime = "1m")
	public void settle(String accountId) throws InterruptedException {
		try (Journal.Entry entry = this.journal.begin(lockOf(accountId))) {
			Thread.sleep(ThreadLocalRandom.current().nextInt(1500, 2500));
		}
	}

	/**
	 * The lock of an account: the annotation's name and key.
	 * @param accountId the account
	 * @return the lock's key
	 */
	static String lockOf(String accountId) {
		return "account:" + accountId;
	}

}

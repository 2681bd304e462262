/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.samples.scheduledjobs.journal.Journal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Calls {@link Accounts#settle} for every account in a loop, as requests of users would.
 */
@Component
class AccountTraffic implements SmartLifecycle {

	private static final List<String> ACCOUNTS = List.of("alice", "bob", "carol");

	private static final long STOP_SECONDS = 5;

	private static final Logger logger = LoggerFactory.getLogger(AccountTraffic.class);

	private final ExecutorService executor = Executors.newFixedThreadPool(ACCOUNTS.size());

	private final Accounts accounts;

	private final Journal journal;

	private volatile boolean running;

	AccountTraffic(Accounts accounts, Journal journal) {
		this.accounts = accounts;
		this.journal = journal;
	}

	@Override
	public void start() {
		this.running = true;
		ACCOUNTS.forEach((account) -> this.executor.execute(() -> settleAgainAndAgain(account)));
	}

	private void settleAgainAndAgain(String account) {
		try {
			while (this.running) {
				settle(account);
				Thread.sleep(ThreadLocalRandom.current().nextInt(150, 450));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void settle(String account) throws InterruptedException {
		this.journal.waits(Accounts.lockOf(account));
		try {
			this.accounts.settle(account);
		}
		catch (LockException ex) {
			this.journal.goesWithout(Accounts.lockOf(account));
			logger.warn("Account {} was not settled; it is tried again", account, ex);
		}
	}

	/**
	 * Returns when the last call has ended, so that the locks' client, which is closed
	 * later, does not free a lock under a running call.
	 */
	@Override
	public void stop() {
		this.running = false;
		this.executor.shutdownNow();
		try {
			if (!this.executor.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
				logger.warn("An account is still being settled {} s after the stop", STOP_SECONDS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.verification.harness.Reporter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Settles every account in a loop, as requests of users would.
 */
class Traffic implements SmartLifecycle {

	private static final List<String> ACCOUNTS = List.of("alice", "bob", "carol");

	private static final long STOP_SECONDS = 5;

	private static final Logger logger = LoggerFactory.getLogger(Traffic.class);

	private final ExecutorService executor = Executors.newFixedThreadPool(ACCOUNTS.size());

	private final Accounts accounts;

	private final Reporter reporter;

	private volatile boolean running;

	Traffic(Accounts accounts, Reporter reporter) {
		this.accounts = accounts;
		this.reporter = reporter;
	}

	/** Returns the lock's key: the annotation's name and key. */
	static String lockOf(String accountId) {
		return Accounts.LOCK + ":" + accountId;
	}

	@Override
	public void start() {
		this.running = true;
		ACCOUNTS.forEach((account) -> this.executor.execute(() -> settleInALoop(account)));
	}

	private void settleInALoop(String account) {
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
		this.reporter.report(ObservedNode.WAITS, lockOf(account));
		try {
			this.accounts.settle(account);
		}
		catch (LockException ex) {
			this.reporter.report(ObservedNode.GIVES_UP, lockOf(account));
			logger.warn("Account {} was not settled; retrying", account, ex);
		}
	}

	/** Returns when the last call has ended, so that no lock is released under one. */
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

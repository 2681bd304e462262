/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.samples.demo.ApplicationNode.Order;
import io.github.dynamodblock.samples.demo.Reporter;
import io.github.dynamodblock.samples.scheduledjobs.BackOffice;
import io.github.dynamodblock.spring.LockContext;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/**
 * Reports when work under a lock begins and ends, and makes the report a long one when
 * the demo orders it.
 */
class ObservedBackOffice extends BackOffice {

	/** The order to make the next report a long one. */
	static final String LONG_REPORT = "long-report";

	private static final Duration LONG_RUN = Duration.ofSeconds(20);

	private final CountDownLatch stopping = new CountDownLatch(1);

	private final Reporter reporter;

	private volatile Instant longUntil = Instant.MIN;

	ObservedBackOffice(Reporter reporter) {
		this.reporter = reporter;
	}

	@EventListener
	void take(Order order) {
		if (order.text().equals(LONG_REPORT)) {
			this.longUntil = Instant.now().plus(LONG_RUN);
		}
	}

	/** Ends a long run, for which Spring would wait. */
	@EventListener(ContextClosedEvent.class)
	void stop() {
		this.stopping.countDown();
	}

	@Override
	public void makeReport() throws InterruptedException {
		observe(LockChecker.JOB, () -> {
			if (Instant.now().isBefore(this.longUntil)) {
				this.stopping.await(LONG_RUN.toMillis(), TimeUnit.MILLISECONDS);
			}
			else {
				super.makeReport();
			}
		});
	}

	@Override
	public void settle(String accountId) throws InterruptedException {
		observe(Traffic.lockOf(accountId), () -> super.settle(accountId));
	}

	private void observe(String key, Work work) throws InterruptedException {
		Instant begin = Instant.now();
		long token = fencingToken(key);
		this.reporter.report(begin, ObservedNode.BEGINS, key, token);
		try {
			work.run();
		}
		finally {
			this.reporter.report(ObservedNode.ENDS, key, token);
		}
	}

	/**
	 * Returns the token of the lock, or 0 if this thread does not hold it: the work is
	 * reported all the same, and the checker finds it.
	 */
	private static long fencingToken(String key) {
		return LockContext.current()
			.filter((lock) -> lock.key().equals(LockKey.of(key)))
			.map(HeldLock::fencingToken)
			.orElse(0L);
	}

	@FunctionalInterface
	private interface Work {

		void run() throws InterruptedException;

	}

}

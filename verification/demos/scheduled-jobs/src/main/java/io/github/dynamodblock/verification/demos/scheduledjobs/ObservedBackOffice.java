/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.verification.harness.ApplicationNode.Order;
import io.github.dynamodblock.verification.harness.Reporter;
import io.github.dynamodblock.samples.scheduledjobs.BackOffice;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.job.JobContext;
import io.github.dynamodblock.spring.job.JobEvent;
import io.github.dynamodblock.spring.job.JobListener;
import io.github.dynamodblock.spring.job.JobMissedEvent;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/**
 * Reports when work under a lock begins and ends, and makes reports long ones when the
 * demo orders it. While a node makes a long report, accounts that it settles do not end
 * either, so that a kill comes in the middle of both.
 */
class ObservedBackOffice extends BackOffice implements JobListener {

	/** The order to make long reports. */
	static final String LONG_REPORTS = "long-reports";

	/** The order to make short reports again. */
	static final String SHORT_REPORTS = "short-reports";

	/** Shorter than the interval of the job, so that no tick is missed. */
	static final Duration LONG_RUN = Duration.ofSeconds(6);

	private final CountDownLatch stopping = new CountDownLatch(1);

	private final Reporter reporter;

	private volatile boolean longReports;

	private volatile CountDownLatch reportEnds = new CountDownLatch(0);

	ObservedBackOffice(Reporter reporter) {
		this.reporter = reporter;
	}

	@EventListener
	void take(Order order) {
		this.longReports = order.text().equals(LONG_REPORTS);
	}

	/** Ends a long run, for which Spring would wait. */
	@EventListener(ContextClosedEvent.class)
	void stop() {
		this.stopping.countDown();
	}

	@Override
	public void onEvent(JobEvent event) {
		if (event instanceof JobMissedEvent missed) {
			missed.ticks()
				.forEach((tick) -> this.reporter.report(ObservedNode.MISSED, missed.job().name(), 0,
						tick.toEpochMilli()));
		}
	}

	@Override
	public void makeReport() throws InterruptedException {
		observe(Job.REPORT.key(), () -> {
			if (this.longReports) {
				makeLongReport();
			}
			else {
				super.makeReport();
			}
		});
	}

	private void makeLongReport() throws InterruptedException {
		CountDownLatch ends = new CountDownLatch(1);
		this.reportEnds = ends;
		try {
			this.stopping.await(LONG_RUN.toMillis(), TimeUnit.MILLISECONDS);
		}
		finally {
			ends.countDown();
		}
	}

	@Override
	public void sendMessages() throws InterruptedException {
		observe(Job.OUTBOX.key(), super::sendMessages);
	}

	@Override
	public void settle(String accountId) throws InterruptedException {
		observe(Traffic.lockOf(accountId), () -> {
			super.settle(accountId);
			this.reportEnds.await();
		});
	}

	private void observe(String key, Work work) throws InterruptedException {
		Instant begin = Instant.now();
		long token = fencingToken(key);
		long[] numbers = JobContext.current()
			.map((run) -> new long[] { token, run.scheduledTime().toEpochMilli(), run.attempt() })
			.orElse(new long[] { token });
		this.reporter.report(begin, ObservedNode.BEGINS, key, numbers);
		String end = ObservedNode.STOPS;
		try {
			work.run();
			end = ObservedNode.ENDS;
		}
		finally {
			this.reporter.report(end, key, numbers);
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

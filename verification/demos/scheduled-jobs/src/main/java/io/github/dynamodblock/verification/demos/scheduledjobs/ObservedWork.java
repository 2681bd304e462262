/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.job.JobContext;
import io.github.dynamodblock.spring.job.JobEvent;
import io.github.dynamodblock.spring.job.JobListener;
import io.github.dynamodblock.spring.job.JobMissedEvent;
import io.github.dynamodblock.verification.harness.ApplicationNode.Order;
import io.github.dynamodblock.verification.harness.Reporter;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Reports when a method with a lock begins and ends. It is the innermost advice, so it
 * runs while the lock is held. It lets a report take some time, and a long time when the
 * demo orders it. While a node makes a long report, accounts that it settles do not end
 * either, so that a kill comes in the middle of both.
 */
class ObservedWork implements MethodInterceptor, JobListener {

	/** The order to make long reports. */
	static final String LONG_REPORTS = "long-reports";

	/** The order to make short reports again. */
	static final String SHORT_REPORTS = "short-reports";

	/** Shorter than the interval of the job, so that no tick is missed. */
	static final Duration LONG_RUN = Duration.ofSeconds(6);

	private static final Duration SHORT_RUN = Duration.ofMillis(200);

	private final CountDownLatch stopping = new CountDownLatch(1);

	private final Reporter reporter;

	private volatile boolean longReports;

	private volatile CountDownLatch reportEnds = new CountDownLatch(0);

	ObservedWork(Reporter reporter) {
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
	public @Nullable Object invoke(MethodInvocation call) throws Throwable {
		Instant begin = Instant.now();
		String key = key(call);
		long token = fencingToken(key);
		long[] numbers = JobContext.current()
			.map((run) -> new long[] { token, run.scheduledTime().toEpochMilli(), run.attempt() })
			.orElse(new long[] { token });
		this.reporter.report(begin, ObservedNode.BEGINS, key, numbers);
		String end = ObservedNode.STOPS;
		try {
			if (key.equals(Job.REPORT.key())) {
				collectData();
			}
			Object result = call.proceed();
			if (!Job.isJob(key)) {
				this.reportEnds.await();
			}
			end = ObservedNode.ENDS;
			return result;
		}
		finally {
			this.reporter.report(end, key, numbers);
		}
	}

	/** Takes the time of a report that is not only a line in the log. */
	private void collectData() throws InterruptedException {
		if (!this.longReports) {
			this.stopping.await(SHORT_RUN.toMillis(), TimeUnit.MILLISECONDS);
			return;
		}
		CountDownLatch ends = new CountDownLatch(1);
		this.reportEnds = ends;
		try {
			this.stopping.await(LONG_RUN.toMillis(), TimeUnit.MILLISECONDS);
		}
		finally {
			ends.countDown();
		}
	}

	/** Returns the key by the annotation, since without locks no lock has it. */
	private static String key(MethodInvocation call) {
		DistributedLock lock = Objects
			.requireNonNull(AnnotatedElementUtils.getMergedAnnotation(call.getMethod(), DistributedLock.class));
		return lock.key().isEmpty() ? lock.name() : Traffic.lockOf(String.valueOf(call.getArguments()[0]));
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

}
